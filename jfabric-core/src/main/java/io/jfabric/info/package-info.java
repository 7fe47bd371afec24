// SPDX-License-Identifier: Apache-2.0
/**
 * What {@code fi_getinfo} says about a provider, and what can be asked of it: the attributes and enums of
 * fi_getinfo(3), fi_fabric(3), fi_domain(3), fi_endpoint(3) and fi_nic(3).
 *
 * <p>Attributes are views of native memory, read from a {@link io.jfabric.info.FabricInfo} and set on
 * {@link io.jfabric.info.Hints}; an attribute that is not set means "any".
 * {@snippet :
 * hints.capabilities(Capability.MSG, Capability.RMA);
 * hints.domain().threading(Threading.DOMAIN).limits().cqDataSize(4);
 * try (FabricInfoList found = Fabric.getInfo(hints)) {
 *     for (FabricInfo match : found) {
 *         if (match.domain().mrMode().contains(MrMode.LOCAL)) {
 *             IO.println(match.provider() + " wants registered memory, injects " + match.tx().injectSize());
 *         }
 *     }
 * }
 * }
 *
 * <p>Values that a newer libfabric has and jfabric has no constant for are kept: an enum is then
 * {@code UNRECOGNIZED} with the number beside it, and {@link io.jfabric.info.Flags} holds all bits. What the loaded
 * libfabric is too old for cannot be set: {@code FI_ENOSYS}.
 */
@NullMarked
package io.jfabric.info;

import org.jspecify.annotations.NullMarked;
