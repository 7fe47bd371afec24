// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_fabric_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.FabricAttributes;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.library.InfoMemory;
import java.util.Optional;

/** {@link FabricAttributes}. */
public final class FabricAttributesImpl extends AttributeView implements FabricAttributes {
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
    public FabricAttributesImpl(InfoMemory memory) {
        super(memory, fi_info.fabric_attr$offset(), "fi_fabric_attr");
    }

    @Override
    public long fabricHandle() {
        return getLong(FABRIC);
    }

    @Override
    public Optional<String> name() {
        return Optional.ofNullable(getString(NAME));
    }

    @Override
    public FabricAttributesImpl name(String value) {
        putString(NAME, value);
        return this;
    }

    @Override
    public Optional<String> providerName() {
        return Optional.ofNullable(getString(PROV_NAME));
    }

    @Override
    public FabricAttributesImpl providerName(String value) {
        putString(PROV_NAME, value);
        return this;
    }

    @Override
    public Version providerVersion() {
        return Version.ofCode(getInt(PROV_VERSION));
    }

    @Override
    public FabricAttributesImpl providerVersion(Version version) {
        putInt(PROV_VERSION, Arguments.given(version, "prov_version", "the version").code());
        return this;
    }

    @Override
    public Version apiVersion() {
        return Version.ofCode(getInt(API_VERSION));
    }

    @Override
    public FabricAttributesImpl apiVersion(Version version) {
        putInt(API_VERSION, Arguments.given(version, "api_version", "the version").code());
        return this;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_FABRIC_ATTR());
    }
}
