// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_cntr;
import io.jfabric.bindings.fid_cntr;
import java.lang.invoke.MethodHandle;

/** Counters ({@code struct fi_ops_cntr}). */
public final class CntrOps {
    private static final long TABLE = fid_cntr.ops$offset();
    private static final long READ = fi_ops_cntr.read$offset();
    private static final long READERR = fi_ops_cntr.readerr$offset();
    private static final long ADD = fi_ops_cntr.add$offset();
    private static final long SET = fi_ops_cntr.set$offset();
    private static final long WAIT = fi_ops_cntr.wait$offset();
    private static final long ADDERR = fi_ops_cntr.adderr$offset();
    private static final long SETERR = fi_ops_cntr.seterr$offset();

    private static final MethodHandle LONG_OF_L = Downcall.of(L, L);
    private static final MethodHandle INT_OF_LL = Downcall.of(I, L, L);
    private static final MethodHandle INT_OF_LLI = Downcall.of(I, L, L, I);

    private CntrOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_cntr_read} */
    public static long read(long fid) {
        long f = slot(fid, READ);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_L.invokeExact(function(f), fid);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cntr_readerr} */
    public static long readerr(long fid) {
        long f = slot(fid, READERR);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_L.invokeExact(function(f), fid);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cntr_add} */
    public static int add(long fid, long value) {
        long f = slot(fid, ADD);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, value);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cntr_set} */
    public static int set(long fid, long value) {
        long f = slot(fid, SET);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, value);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cntr_wait} */
    public static int await(long fid, long threshold, int timeout) {
        long f = slot(fid, WAIT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLI.invokeExact(function(f), fid, threshold, timeout);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cntr_adderr} */
    public static int adderr(long fid, long value) {
        long f = slot(fid, ADDERR);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, value);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cntr_seterr} */
    public static int seterr(long fid, long value) {
        long f = slot(fid, SETERR);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, value);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
