// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.Version;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_fabric_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.InfoMemory;

/**
 * Which fabric and provider ({@code struct fi_fabric_attr}, fi_fabric(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public final class FabricAttributes extends Attributes {
    private static final long FABRIC = fi_fabric_attr.fabric$offset();
    private static final long NAME = fi_fabric_attr.name$offset();
    private static final long PROV_NAME = fi_fabric_attr.prov_name$offset();
    private static final long PROV_VERSION = fi_fabric_attr.prov_version$offset();
    private static final long API_VERSION = fi_fabric_attr.api_version$offset();

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    @SuppressWarnings("exports")
    public FabricAttributes(InfoMemory memory) {
        super(memory, fi_info.fabric_attr$offset(), "fi_fabric_attr");
    }

    /**
     * The open fabric this entry belongs to ({@code fi_fabric_attr.fabric}).
     *
     * @return the address, 0 for none
     */
    public long fabricHandle() {
        return getLong(FABRIC);
    }

    /**
     * Name of the network ({@code fi_fabric_attr.name}).
     *
     * @return the text; null for none
     */
    public String name() {
        return getString(NAME);
    }

    /**
     * Sets {@code fi_fabric_attr.name}.
     *
     * @param value the text; null for any
     * @return this
     */
    public FabricAttributes name(String value) {
        putString(NAME, value);
        return this;
    }

    /**
     * Provider, layered ones separated by semicolons ({@code fi_fabric_attr.prov_name}).
     *
     * @return the text; null for none
     */
    public String providerName() {
        return getString(PROV_NAME);
    }

    /**
     * Sets {@code fi_fabric_attr.prov_name}.
     *
     * @param value the text; null for any
     * @return this
     */
    public FabricAttributes providerName(String value) {
        putString(PROV_NAME, value);
        return this;
    }

    /**
     * Version of the provider ({@code fi_fabric_attr.prov_version}).
     *
     * @return the version
     */
    public Version providerVersion() {
        return Version.ofCode(getInt(PROV_VERSION));
    }

    /**
     * Sets {@code fi_fabric_attr.prov_version}.
     *
     * @param version the version
     * @return this
     */
    public FabricAttributes providerVersion(Version version) {
        putInt(PROV_VERSION, version.code());
        return this;
    }

    /**
     * API version that was asked for ({@code fi_fabric_attr.api_version}).
     *
     * @return the version
     */
    public Version apiVersion() {
        return Version.ofCode(getInt(API_VERSION));
    }

    /**
     * Sets {@code fi_fabric_attr.api_version}.
     *
     * @param version the version
     * @return this
     */
    public FabricAttributes apiVersion(Version version) {
        putInt(API_VERSION, version.code());
        return this;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_FABRIC_ATTR());
    }
}
