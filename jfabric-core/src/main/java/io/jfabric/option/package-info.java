// SPDX-License-Identifier: Apache-2.0
/**
 * What objects are opened and bound with: attributes of queues, counters, address vectors and registered memory, the
 * directions of a binding, the options of an endpoint.
 *
 * <p>Attributes never change. They begin with what most programs want, such as
 * {@link io.jfabric.option.CompletionQueueAttributes#of}, {@link io.jfabric.option.MemoryRegionAttributes#of} and
 * {@code DEFAULT} of the others; each method {@code with...} gives a copy with one thing changed.
 * {@snippet :
 * CompletionQueue waited = domain.openCompletionQueue(
 *         CompletionQueueAttributes.of(CompletionFormat.TAGGED).withSize(1024).withWaitObject(WaitObject.FD));
 * endpoint.bind(waited, BindFlag.TRANSMIT, BindFlag.RECV);
 * endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 4096L);
 * MemoryRegion region = domain.register(MemoryRegionAttributes.of(buffer).withAccess(MemoryAccess.REMOTE_WRITE));
 * }
 */
@NullMarked
package io.jfabric.option;

import org.jspecify.annotations.NullMarked;
