// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import io.jfabric.bindings.fi_ops_rma;
import io.jfabric.bindings.fid_ep;

/** Remote memory access ({@code struct fi_ops_rma}). */
public final class RmaOps {
    private static final long TABLE = fid_ep.rma$offset();
    private static final long READ = fi_ops_rma.read$offset();
    private static final long READV = fi_ops_rma.readv$offset();
    private static final long READMSG = fi_ops_rma.readmsg$offset();
    private static final long WRITE = fi_ops_rma.write$offset();
    private static final long WRITEV = fi_ops_rma.writev$offset();
    private static final long WRITEMSG = fi_ops_rma.writemsg$offset();
    private static final long INJECT = fi_ops_rma.inject$offset();
    private static final long WRITEDATA = fi_ops_rma.writedata$offset();
    private static final long INJECTDATA = fi_ops_rma.injectdata$offset();

    private RmaOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_read} */
    public static long read(long fid, long buffer, long length, long desc, long source, long address,
            long key, long context) {
        return CallLong.longLLLLLLLL(slot(fid, READ), fid, buffer, length, desc, source, address, key, context);
    }

    /** {@code fi_readv} */
    public static long readv(long fid, long iov, long desc, long count, long source, long address, long key,
            long context) {
        return CallLong.longLLLLLLLL(slot(fid, READV), fid, iov, desc, count, source, address, key, context);
    }

    /** {@code fi_readmsg} */
    public static long readmsg(long fid, long message, long flags) {
        return CallLong.longLLL(slot(fid, READMSG), fid, message, flags);
    }

    /** {@code fi_write} */
    public static long write(long fid, long buffer, long length, long desc, long destination, long address,
            long key, long context) {
        return CallLong.longLLLLLLLL(slot(fid, WRITE), fid, buffer, length, desc, destination, address, key, context);
    }

    /** {@code fi_writev} */
    public static long writev(long fid, long iov, long desc, long count, long destination, long address,
            long key, long context) {
        return CallLong.longLLLLLLLL(slot(fid, WRITEV), fid, iov, desc, count, destination, address, key, context);
    }

    /** {@code fi_writemsg} */
    public static long writemsg(long fid, long message, long flags) {
        return CallLong.longLLL(slot(fid, WRITEMSG), fid, message, flags);
    }

    /** {@code fi_inject_write} */
    public static long inject(long fid, long buffer, long length, long destination, long address, long key) {
        return CallLong.longLLLLLL(slot(fid, INJECT), fid, buffer, length, destination, address, key);
    }

    /** {@code fi_writedata} */
    public static long writedata(long fid, long buffer, long length, long desc, long data, long destination,
            long address, long key, long context) {
        return CallLong.longLLLLLLLLL(slot(fid, WRITEDATA), fid, buffer, length, desc, data, destination, address,
                key, context);
    }

    /** {@code fi_inject_writedata} */
    public static long injectdata(long fid, long buffer, long length, long data, long destination,
            long address, long key) {
        return CallLong.longLLLLLLL(slot(fid, INJECTDATA), fid, buffer, length, data, destination, address, key);
    }
}
