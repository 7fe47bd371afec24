// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import io.jfabric.bindings.fi_ops_atomic;
import io.jfabric.bindings.fid_ep;

/** Atomic operations ({@code struct fi_ops_atomic}). */
public final class AtomicOps {
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

    private AtomicOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_atomic} */
    public static long write(long fid, long buffer, long count, long desc, long destination, long address,
            long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLIIL(slot(fid, WRITE), fid, buffer, count, desc, destination, address, key,
                datatype, op, context);
    }

    /** {@code fi_atomicv} */
    public static long writev(long fid, long ioc, long desc, long count, long destination, long address,
            long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLIIL(slot(fid, WRITEV), fid, ioc, desc, count, destination, address, key, datatype,
                op, context);
    }

    /** {@code fi_atomicmsg} */
    public static long writemsg(long fid, long message, long flags) {
        return CallLong.longLLL(slot(fid, WRITEMSG), fid, message, flags);
    }

    /** {@code fi_inject_atomic} */
    public static long inject(long fid, long buffer, long count, long destination, long address, long key,
            int datatype, int op) {
        return CallLong.longLLLLLLII(slot(fid, INJECT), fid, buffer, count, destination, address, key, datatype, op);
    }

    /** {@code fi_fetch_atomic} */
    public static long readwrite(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long destination, long address, long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLLLIIL(slot(fid, READWRITE), fid, buffer, count, desc, result, resultDesc,
                destination, address, key, datatype, op, context);
    }

    /** {@code fi_fetch_atomicv} */
    public static long readwritev(long fid, long ioc, long desc, long count, long result, long resultDesc,
            long resultCount, long destination, long address, long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLLLLIIL(slot(fid, READWRITEV), fid, ioc, desc, count, result, resultDesc,
                resultCount, destination, address, key, datatype, op, context);
    }

    /** {@code fi_fetch_atomicmsg} */
    public static long readwritemsg(long fid, long message, long result, long resultDesc, long resultCount,
            long flags) {
        return CallLong.longLLLLLL(slot(fid, READWRITEMSG), fid, message, result, resultDesc, resultCount, flags);
    }

    /** {@code fi_compare_atomic} */
    public static long compwrite(long fid, long buffer, long count, long desc, long compare,
            long compareDesc, long result, long resultDesc, long destination, long address, long key, int datatype,
            int op, long context) {
        return CallLong.longLLLLLLLLLLLIIL(slot(fid, COMPWRITE), fid, buffer, count, desc, compare, compareDesc,
                result, resultDesc, destination, address, key, datatype, op, context);
    }

    /** {@code fi_compare_atomicv} */
    public static long compwritev(long fid, long ioc, long desc, long count, long compare, long compareDesc,
            long compareCount, long result, long resultDesc, long resultCount, long destination, long address,
            long key, int datatype, int op, long context) {
        return CallLong.longLLLLLLLLLLLLLIIL(slot(fid, COMPWRITEV), fid, ioc, desc, count, compare, compareDesc,
                compareCount, result, resultDesc, resultCount, destination, address, key, datatype, op, context);
    }

    /** {@code fi_compare_atomicmsg} */
    public static long compwritemsg(long fid, long message, long compare, long compareDesc,
            long compareCount, long result, long resultDesc, long resultCount, long flags) {
        return CallLong.longLLLLLLLLL(slot(fid, COMPWRITEMSG), fid, message, compare, compareDesc, compareCount,
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
