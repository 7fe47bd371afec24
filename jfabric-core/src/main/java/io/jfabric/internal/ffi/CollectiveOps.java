// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_collective;
import io.jfabric.bindings.fid_ep;
import java.lang.invoke.MethodHandle;

/** Collective operations ({@code struct fi_ops_collective}). */
public final class CollectiveOps {
    private static final long TABLE = fid_ep.collective$offset();
    private static final long BARRIER = fi_ops_collective.barrier$offset();
    private static final long BARRIER2 = fi_ops_collective.barrier2$offset();
    private static final long BROADCAST = fi_ops_collective.broadcast$offset();
    private static final long ALLTOALL = fi_ops_collective.alltoall$offset();
    private static final long ALLREDUCE = fi_ops_collective.allreduce$offset();
    private static final long ALLGATHER = fi_ops_collective.allgather$offset();
    private static final long REDUCE_SCATTER = fi_ops_collective.reduce_scatter$offset();
    private static final long REDUCE = fi_ops_collective.reduce$offset();
    private static final long SCATTER = fi_ops_collective.scatter$offset();
    private static final long GATHER = fi_ops_collective.gather$offset();

    private static final MethodHandle LONG_OF_LLL = Downcall.of(L, L, L, L);
    private static final MethodHandle LONG_OF_LLLL = Downcall.of(L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLLLILL = Downcall.of(L, L, L, L, L, L, L, I, L, L);
    private static final MethodHandle LONG_OF_LLLLLLLILL = Downcall.of(L, L, L, L, L, L, L, L, I, L, L);
    private static final MethodHandle LONG_OF_LLLLLLLIILL = Downcall.of(L, L, L, L, L, L, L, L, I, I, L, L);
    private static final MethodHandle LONG_OF_LLLLLLLLIILL = Downcall.of(L, L, L, L, L, L, L, L, L, I, I, L, L);
    private static final MethodHandle LONG_OF_LLLLLLLLILL = Downcall.of(L, L, L, L, L, L, L, L, L, I, L, L);

    private CollectiveOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_barrier} */
    public static long barrier(long fid, long group, long context) {
        long f = slot(fid, BARRIER);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLL.invokeExact(function(f), fid, group, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_barrier2} with flags */
    public static long barrier2(long fid, long group, long flags, long context) {
        long f = slot(fid, BARRIER2);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLL.invokeExact(function(f), fid, group, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_broadcast} */
    public static long broadcast(long fid, long buffer, long count, long desc, long group, long root,
            int datatype, long flags, long context) {
        long f = slot(fid, BROADCAST);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLILL.invokeExact(function(f),
                    fid, buffer, count, desc, group, root, datatype, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_alltoall} */
    public static long alltoall(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, int datatype, long flags, long context) {
        long f = slot(fid, ALLTOALL);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLILL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, group, datatype, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_allreduce} */
    public static long allreduce(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, int datatype, int op, long flags, long context) {
        long f = slot(fid, ALLREDUCE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLIILL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, group, datatype, op, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_allgather} */
    public static long allgather(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, int datatype, long flags, long context) {
        long f = slot(fid, ALLGATHER);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLILL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, group, datatype, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_reduce_scatter} */
    public static long reduceScatter(long fid, long buffer, long count, long desc, long result,
            long resultDesc, long group, int datatype, int op, long flags, long context) {
        long f = slot(fid, REDUCE_SCATTER);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLIILL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, group, datatype, op, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_reduce} */
    public static long reduce(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, long root, int datatype, int op, long flags, long context) {
        long f = slot(fid, REDUCE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLIILL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, group, root, datatype, op, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_scatter} */
    public static long scatter(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, long root, int datatype, long flags, long context) {
        long f = slot(fid, SCATTER);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLILL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, group, root, datatype, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_gather} */
    public static long gather(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, long root, int datatype, long flags, long context) {
        long f = slot(fid, GATHER);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLILL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, group, root, datatype, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
