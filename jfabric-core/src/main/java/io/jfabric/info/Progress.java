// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** Who drives an operation to its end ({@code fi_progress}). */
public enum Progress implements FabricConstant {
    /** Any. */
    UNSPEC(Libfabric.FI_PROGRESS_UNSPEC(), FIRST),
    /** The provider, by threads or hardware. */
    AUTO(Libfabric.FI_PROGRESS_AUTO(), FIRST),
    /** The application, by polling. */
    MANUAL(Libfabric.FI_PROGRESS_MANUAL(), FIRST),
    /** The application, and polling for data also drives control operations. */
    CONTROL_UNIFIED(Libfabric.FI_PROGRESS_CONTROL_UNIFIED(), new Version(1, 21)),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1, FIRST);

    private final long code;
    private final Version since;

    Progress(long code, Version since) {
        this.code = code;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_PROGRESS_" + name();
    }

    @Override
    public Version since() {
        return since;
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static Progress ofCode(int code) {
        return Constants.find(Progress.class, code, UNRECOGNIZED);
    }
}
