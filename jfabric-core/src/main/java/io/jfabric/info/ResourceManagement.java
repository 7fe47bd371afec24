// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** Who keeps queues from overrunning ({@code fi_domain_attr.resource_mgmt}). */
public enum ResourceManagement implements FabricConstant {
    /** Any. */
    UNSPEC(Libfabric.FI_RM_UNSPEC()),
    /** The application. */
    DISABLED(Libfabric.FI_RM_DISABLED()),
    /** The provider. */
    ENABLED(Libfabric.FI_RM_ENABLED()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1);

    private final long code;

    ResourceManagement(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_RM_" + name();
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static ResourceManagement ofCode(int code) {
        return Constants.find(ResourceManagement.class, code, UNRECOGNIZED);
    }
}
