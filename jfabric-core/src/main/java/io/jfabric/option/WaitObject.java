// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/** How a thread may wait for a queue or counter ({@code fi_wait_obj}). */
public enum WaitObject implements FabricConstant {
    /** Not at all: polling only. */
    NONE(Libfabric.FI_WAIT_NONE()),
    /** By blocking reads; the provider decides how. */
    UNSPEC(Libfabric.FI_WAIT_UNSPEC()),
    /** By a {@link io.jfabric.wait.WaitSet}, which opens such objects itself; deprecated. */
    SET(Libfabric.FI_WAIT_SET()),
    /** By a file descriptor. */
    FD(Libfabric.FI_WAIT_FD()),
    /** By a mutex and a condition; deprecated. */
    MUTEX_COND(Libfabric.FI_WAIT_MUTEX_COND()),
    /** By blocking reads that yield the CPU. */
    YIELD(Libfabric.FI_WAIT_YIELD()),
    /** By a set of file descriptors. */
    POLLFD(Libfabric.FI_WAIT_POLLFD());

    private final long code;

    WaitObject(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_WAIT_" + name();
    }
}
