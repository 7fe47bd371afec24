// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.Fabric;
import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Newer;

/** How {@link Fabric#getInfo} reads its arguments (fi_getinfo(3)). */
public enum GetInfoFlag implements FabricConstant {
    /** Node and service name the local side. */
    SOURCE(Libfabric.FI_SOURCE()),
    /** The node is a numeric address; nothing is resolved. */
    NUMERICHOST(Libfabric.FI_NUMERICHOST()),
    /** Return one entry for each provider, with its fabric attributes only; with other flags it has no effect. */
    PROV_ATTR_ONLY(Libfabric.FI_PROV_ATTR_ONLY()),
    /**
     * Look for devices and interfaces again that came or went since the first call. Since 2.2; older libraries are
     * not asked: {@code FI_ENOSYS}.
     */
    RESCAN(Newer.RESCAN, new Version(2, 2));

    private final long code;
    private final Version since;

    GetInfoFlag(long code) {
        this(code, FIRST);
    }

    GetInfoFlag(long code, Version since) {
        this.code = code;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }

    @Override
    public Version since() {
        return since;
    }
}
