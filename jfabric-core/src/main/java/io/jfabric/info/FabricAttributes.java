// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.FabricAttributesImpl;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which fabric and provider ({@code struct fi_fabric_attr}, fi_fabric(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public sealed interface FabricAttributes permits FabricAttributesImpl {
    /**
     * The open fabric this entry belongs to ({@code fi_fabric_attr.fabric}).
     *
     * @return the address, 0 for none
     */
    long fabricHandle();

    /**
     * Name of the network ({@code fi_fabric_attr.name}).
     *
     * @return the text; empty for none
     */
    Optional<String> name();

    /**
     * Sets {@code fi_fabric_attr.name}.
     *
     * @param value the text; null for any
     * @return this
     */
    FabricAttributes name(@Nullable String value);

    /**
     * Provider, layered ones separated by semicolons ({@code fi_fabric_attr.prov_name}).
     *
     * @return the text; empty for none
     */
    Optional<String> providerName();

    /**
     * Sets {@code fi_fabric_attr.prov_name}.
     *
     * @param value the text; null for any
     * @return this
     */
    FabricAttributes providerName(@Nullable String value);

    /**
     * Version of the provider ({@code fi_fabric_attr.prov_version}).
     *
     * @return the version
     */
    Version providerVersion();

    /**
     * Sets {@code fi_fabric_attr.prov_version}.
     *
     * @param version the version
     * @return this
     */
    FabricAttributes providerVersion(Version version);

    /**
     * API version that was asked for ({@code fi_fabric_attr.api_version}).
     *
     * @return the version
     */
    Version apiVersion();

    /**
     * Sets {@code fi_fabric_attr.api_version}.
     *
     * @param version the version
     * @return this
     */
    FabricAttributes apiVersion(Version version);
}
