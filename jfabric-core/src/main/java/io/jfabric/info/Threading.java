// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** How much an application serialises its own calls ({@code fi_domain_attr.threading}). */
public enum Threading implements FabricConstant {
    /** Any. */
    UNSPEC(Libfabric.FI_THREAD_UNSPEC()),
    /** Any thread may call anything. */
    SAFE(Libfabric.FI_THREAD_SAFE()),
    /** Calls on one object are serialised; deprecated. */
    FID(Libfabric.FI_THREAD_FID()),
    /** Calls on one domain and all it opened are serialised. */
    DOMAIN(Libfabric.FI_THREAD_DOMAIN()),
    /** Calls on a completion queue or counter and all endpoints bound to it are serialised. */
    COMPLETION(Libfabric.FI_THREAD_COMPLETION()),
    /** Calls on one endpoint are serialised; deprecated. */
    ENDPOINT(Libfabric.FI_THREAD_ENDPOINT()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1);

    private final long code;

    Threading(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_THREAD_" + name();
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static Threading ofCode(int code) {
        return Constants.find(Threading.class, code, UNRECOGNIZED);
    }
}
