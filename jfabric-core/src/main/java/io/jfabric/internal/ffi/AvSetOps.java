// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_av_set;
import io.jfabric.bindings.fid_av_set;
import java.lang.invoke.MethodHandle;

/** Sets of addresses ({@code struct fi_ops_av_set}). */
public final class AvSetOps {
    private static final long TABLE = fid_av_set.ops$offset();
    private static final long SET_UNION = fi_ops_av_set.set_union$offset();
    private static final long INTERSECT = fi_ops_av_set.intersect$offset();
    private static final long DIFF = fi_ops_av_set.diff$offset();
    private static final long INSERT = fi_ops_av_set.insert$offset();
    private static final long REMOVE = fi_ops_av_set.remove$offset();
    private static final long ADDR = fi_ops_av_set.addr$offset();

    private static final MethodHandle INT_OF_LL = Downcall.of(I, L, L);

    private AvSetOps() {
    }

    private static long slot(long fid, long offset) {
        // libfabric's own table says that its size is 0; it has had these six functions ever since there are sets
        return Slots.findInFixedTable(fid, TABLE, offset);
    }

    /** {@code fi_av_set_union} */
    public static int union(long fid, long other) {
        long f = slot(fid, SET_UNION);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, other);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_set_intersect} */
    public static int intersect(long fid, long other) {
        long f = slot(fid, INTERSECT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, other);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_set_diff} */
    public static int diff(long fid, long other) {
        long f = slot(fid, DIFF);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, other);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_set_insert} */
    public static int insert(long fid, long address) {
        long f = slot(fid, INSERT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, address);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_set_remove} */
    public static int remove(long fid, long address) {
        long f = slot(fid, REMOVE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, address);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_set_addr} */
    public static int addr(long fid, long result) {
        long f = slot(fid, ADDR);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, result);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
