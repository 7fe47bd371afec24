// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.Fabric;
import io.jfabric.bindings.Libfabric;

/** How {@link Fabric#getInfo} reads its arguments (fi_getinfo(3)). */
public enum GetInfoFlag implements FabricConstant {
    /** Node and service name the local side. */
    SOURCE(Libfabric.FI_SOURCE()),
    /** The node is a numeric address; nothing is resolved. */
    NUMERICHOST(Libfabric.FI_NUMERICHOST()),
    /** Return one entry for each provider, with its fabric attributes only. */
    PROV_ATTR_ONLY(Libfabric.FI_PROV_ATTR_ONLY());

    private final long code;

    GetInfoFlag(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }
}
