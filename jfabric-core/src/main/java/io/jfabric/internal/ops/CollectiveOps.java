// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_collective;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.CallLong;
import java.lang.foreign.MemorySegment;

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

    private CollectiveOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_barrier} */
    public static long barrier(long fid, long group, long context) {
        return CallLong.longLLL(slot(fid, BARRIER), fid, group, context);
    }

    /** {@code fi_barrier2} with flags */
    public static long barrier2(long fid, long group, long flags, long context) {
        return CallLong.longLLLL(slot(fid, BARRIER2), fid, group, flags, context);
    }

    /** {@code fi_broadcast} */
    public static long broadcast(long fid, long buffer, long count, long desc, long group, long root,
            int datatype, long flags, long context) {
        return CallLong.longLLLLLLILL(slot(fid, BROADCAST), fid, buffer, count, desc, group, root, datatype, flags,
                context);
    }

    /** {@code fi_alltoall} */
    public static long alltoall(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, int datatype, long flags, long context) {
        return CallLong.longLLLLLLLILL(slot(fid, ALLTOALL), fid, buffer, count, desc, result, resultDesc, group,
                datatype, flags, context);
    }

    /** {@code fi_allreduce} */
    public static long allreduce(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, int datatype, int op, long flags, long context) {
        return CallLong.longLLLLLLLIILL(slot(fid, ALLREDUCE), fid, buffer, count, desc, result, resultDesc, group,
                datatype, op, flags, context);
    }

    /** {@code fi_allgather} */
    public static long allgather(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, int datatype, long flags, long context) {
        return CallLong.longLLLLLLLILL(slot(fid, ALLGATHER), fid, buffer, count, desc, result, resultDesc, group,
                datatype, flags, context);
    }

    /** {@code fi_reduce_scatter} */
    public static long reduceScatter(long fid, long buffer, long count, long desc, long result,
            long resultDesc, long group, int datatype, int op, long flags, long context) {
        return CallLong.longLLLLLLLIILL(slot(fid, REDUCE_SCATTER), fid, buffer, count, desc, result, resultDesc,
                group, datatype, op, flags, context);
    }

    /** {@code fi_reduce} */
    public static long reduce(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, long root, int datatype, int op, long flags, long context) {
        return CallLong.longLLLLLLLLIILL(slot(fid, REDUCE), fid, buffer, count, desc, result, resultDesc, group,
                root, datatype, op, flags, context);
    }

    /** {@code fi_scatter} */
    public static long scatter(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, long root, int datatype, long flags, long context) {
        return CallLong.longLLLLLLLLILL(slot(fid, SCATTER), fid, buffer, count, desc, result, resultDesc, group,
                root, datatype, flags, context);
    }

    /** {@code fi_gather} */
    public static long gather(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long group, long root, int datatype, long flags, long context) {
        return CallLong.longLLLLLLLLILL(slot(fid, GATHER), fid, buffer, count, desc, result, resultDesc, group, root,
                datatype, flags, context);
    }
}
