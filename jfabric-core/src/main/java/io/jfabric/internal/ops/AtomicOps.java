// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_atomic;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.CallInt;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/** Atomic operations ({@code struct fi_ops_atomic}): the functions of one endpoint, as {@link TaggedOps} has them. */
public class AtomicOps {
    private static final long TABLE = fid_ep.atomic$offset();
    private static final long WRITE = fi_ops_atomic.write$offset();
    private static final long WRITEV = fi_ops_atomic.writev$offset();
    private static final long WRITEMSG = fi_ops_atomic.writemsg$offset();
    private static final long INJECT = fi_ops_atomic.inject$offset();
    private static final long READWRITE = fi_ops_atomic.readwrite$offset();
    private static final long READWRITEV = fi_ops_atomic.readwritev$offset();
    private static final long READWRITEMSG = fi_ops_atomic.readwritemsg$offset();
    private static final long COMPWRITE = fi_ops_atomic.compwrite$offset();
    private static final long COMPWRITEV = fi_ops_atomic.compwritev$offset();
    private static final long COMPWRITEMSG = fi_ops_atomic.compwritemsg$offset();
    private static final long WRITEVALID = fi_ops_atomic.writevalid$offset();
    private static final long READWRITEVALID = fi_ops_atomic.readwritevalid$offset();
    private static final long COMPWRITEVALID = fi_ops_atomic.compwritevalid$offset();

    private static final FunctionSets<Functions> SETS = new FunctionSets<>();

    private record Functions(MemorySegment write, MemorySegment writev, MemorySegment writemsg, MemorySegment inject,
            MemorySegment readwrite, MemorySegment readwritev, MemorySegment readwritemsg, MemorySegment compwrite,
            MemorySegment compwritev, MemorySegment compwritemsg) {
    }

    private static final class Usual {
        static final Functions FUNCTIONS = SETS.latest();
    }

    private long table;
    private Functions functions;

    /** Finds the functions of an endpoint. */
    public final void lookUp(long fid) {
        table = Memory.getLong(fid + TABLE);
        functions = SETS.of(new Functions(slot(fid, WRITE), slot(fid, WRITEV), slot(fid, WRITEMSG),
                slot(fid, INJECT), slot(fid, READWRITE), slot(fid, READWRITEV), slot(fid, READWRITEMSG),
                slot(fid, COMPWRITE), slot(fid, COMPWRITEV), slot(fid, COMPWRITEMSG)));
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** A constant, if they are those that most endpoints have. */
    private Functions functions() {
        return functions == Usual.FUNCTIONS ? Usual.FUNCTIONS : functions;
    }

    /** Whether they are still those of the endpoint. */
    public final boolean areOf(long fid) {
        return table == Memory.getLong(fid + TABLE);
    }

    /** {@code fi_atomic} */
    public long write(long fid, long buffer, long count, long desc, long destination, long address,
            long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLIIL(functions().write, fid, buffer, count, desc, destination, address, key,
                datatype, op, context);
    }

    /** {@code fi_atomicv} */
    public long writev(long fid, long ioc, long desc, long count, long destination, long address,
            long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLIIL(functions().writev, fid, ioc, desc, count, destination, address, key, datatype,
                op, context);
    }

    /** {@code fi_atomicmsg} */
    public long writemsg(long fid, long message, long flags) {
        return CallLong.longLLL(functions().writemsg, fid, message, flags);
    }

    /** {@code fi_inject_atomic} */
    public long inject(long fid, long buffer, long count, long destination, long address, long key,
            int datatype, int op) {
        return CallLong.longLLLLLLII(functions().inject, fid, buffer, count, destination, address, key, datatype, op);
    }

    /** {@code fi_fetch_atomic} */
    public long readwrite(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long destination, long address, long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLLLIIL(functions().readwrite, fid, buffer, count, desc, result, resultDesc,
                destination, address, key, datatype, op, context);
    }

    /** {@code fi_fetch_atomicv} */
    public long readwritev(long fid, long ioc, long desc, long count, long result, long resultDesc,
            long resultCount, long destination, long address, long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLLLLIIL(functions().readwritev, fid, ioc, desc, count, result, resultDesc,
                resultCount, destination, address, key, datatype, op, context);
    }

    /** {@code fi_fetch_atomicmsg} */
    public long readwritemsg(long fid, long message, long result, long resultDesc, long resultCount,
            long flags) {
        return CallLong.longLLLLLL(functions().readwritemsg, fid, message, result, resultDesc, resultCount, flags);
    }

    /** {@code fi_compare_atomic} */
    public long compwrite(long fid, long buffer, long count, long desc, long compare,
            long compareDesc, long result, long resultDesc, long destination, long address, long key, int datatype,
            int op, long context) {
        return CallLong.longLLLLLLLLLLLIIL(functions().compwrite, fid, buffer, count, desc, compare, compareDesc,
                result, resultDesc, destination, address, key, datatype, op, context);
    }

    /** {@code fi_compare_atomicv} */
    public long compwritev(long fid, long ioc, long desc, long count, long compare, long compareDesc,
            long compareCount, long result, long resultDesc, long resultCount, long destination, long address,
            long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLLLLLLLIIL(functions().compwritev, fid, ioc, desc, count, compare, compareDesc,
                compareCount, result, resultDesc, resultCount, destination, address, key, datatype, op, context);
    }

    /** {@code fi_compare_atomicmsg} */
    public long compwritemsg(long fid, long message, long compare, long compareDesc,
            long compareCount, long result, long resultDesc, long resultCount, long flags) {
        return CallLong.longLLLLLLLLL(functions().compwritemsg, fid, message, compare, compareDesc, compareCount,
                result, resultDesc, resultCount, flags);
    }

    /** {@code fi_atomicvalid} */
    public static int writevalid(long fid, int datatype, int op, long count) {
        return CallInt.intLIIL(slot(fid, WRITEVALID), fid, datatype, op, count);
    }

    /** {@code fi_fetch_atomicvalid} */
    public static int readwritevalid(long fid, int datatype, int op, long count) {
        return CallInt.intLIIL(slot(fid, READWRITEVALID), fid, datatype, op, count);
    }

    /** {@code fi_compare_atomicvalid} */
    public static int compwritevalid(long fid, int datatype, int op, long count) {
        return CallInt.intLIIL(slot(fid, COMPWRITEVALID), fid, datatype, op, count);
    }
}
