// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_cq;
import io.jfabric.bindings.fid_cq;
import io.jfabric.internal.ffi.CallInt;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/** Completion queues ({@code struct fi_ops_cq}). */
public final class CqOps {
    private static final long TABLE = fid_cq.ops$offset();
    private static final long READ = fi_ops_cq.read$offset();
    private static final long READFROM = fi_ops_cq.readfrom$offset();
    private static final long READERR = fi_ops_cq.readerr$offset();
    private static final long SREAD = fi_ops_cq.sread$offset();
    private static final long SREADFROM = fi_ops_cq.sreadfrom$offset();
    private static final long SIGNAL = fi_ops_cq.signal$offset();
    private static final long STRERROR = fi_ops_cq.strerror$offset();

    private static final FunctionSets<Functions> SETS = new FunctionSets<>();

    /** The functions that are called all the time. */
    private record Functions(MemorySegment read, MemorySegment readfrom) {
    }

    private static final class Usual {
        static final Functions FUNCTIONS = SETS.latest();
    }

    private Functions functions;

    /** Finds the functions that are called all the time; call again when an endpoint was bound or enabled. */
    public synchronized void lookUp(long fid) {
        Functions found = SETS.of(new Functions(slot(fid, READ), slot(fid, READFROM)));
        if (functions != found) {
            // written only if changed: polling threads read it all the time
            functions = found;
        }
    }

    /** A constant, if they are those that most queues have. */
    private Functions functions() {
        return functions == Usual.FUNCTIONS ? Usual.FUNCTIONS : functions;
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_cq_read} */
    public long read(long fid, long buffer, long count) {
        return CallLong.longLLL(functions().read, fid, buffer, count);
    }

    /** {@code fi_cq_readfrom} */
    public long readfrom(long fid, long buffer, long count, long sources) {
        return CallLong.longLLLL(functions().readfrom, fid, buffer, count, sources);
    }

    /** {@code fi_cq_readerr} */
    public static long readerr(long fid, long entry, long flags) {
        return CallLong.longLLL(slot(fid, READERR), fid, entry, flags);
    }

    /** {@code fi_cq_sread} */
    public static long sread(long fid, long buffer, long count, long condition, int timeout) {
        return CallLong.longLLLLI(slot(fid, SREAD), fid, buffer, count, condition, timeout);
    }

    /** {@code fi_cq_sreadfrom} */
    public static long sreadfrom(long fid, long buffer, long count, long sources, long condition, int timeout) {
        return CallLong.longLLLLLI(slot(fid, SREADFROM), fid, buffer, count, sources, condition, timeout);
    }

    /** {@code fi_cq_signal} */
    public static int signal(long fid) {
        return CallInt.intL(slot(fid, SIGNAL), fid);
    }

    /** {@code fi_cq_strerror}; null where the provider lacks it */
    public static String strerror(long fid, int providerErrno, long errorData, long buffer, long length) {
        MemorySegment f = slot(fid, STRERROR);
        return f == Downcall.NONE ? null
                : Memory.string(CallLong.longLILLL(f, fid, providerErrno, errorData, buffer, length));
    }
}
