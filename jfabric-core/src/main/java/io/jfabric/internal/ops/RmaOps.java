// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_rma;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Remote memory access ({@code struct fi_ops_rma}): the functions of one endpoint, looked up
 * beforehand. Providers replace them when something is bound, enabled or set; then they must be {@link #lookUp looked
 * up} again.
 */
public class RmaOps {
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

    private static final FunctionSets<Functions> SETS = new FunctionSets<>();

    private record Functions(MemorySegment read, MemorySegment readv, MemorySegment readmsg, MemorySegment write,
            MemorySegment writev, MemorySegment writemsg, MemorySegment inject, MemorySegment writedata,
            MemorySegment injectdata) {
    }

    private static final class Usual {
        static final Functions FUNCTIONS = SETS.latest();
    }

    private long table;
    private Functions functions;

    /** Finds the functions of an endpoint. */
    public final void lookUp(long fid) {
        table = Memory.getLong(fid + TABLE);
        functions = SETS.of(new Functions(slot(fid, READ), slot(fid, READV), slot(fid, READMSG), slot(fid, WRITE),
                slot(fid, WRITEV), slot(fid, WRITEMSG), slot(fid, INJECT), slot(fid, WRITEDATA),
                slot(fid, INJECTDATA)));
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

    /** {@code fi_read} */
    public long read(long fid, long buffer, long length, long desc, long source, long address,
            long key, long context) {
        return CallLong.longLLLLLLLL(functions().read, fid, buffer, length, desc, source, address, key, context);
    }

    /** {@code fi_readv} */
    public long readv(long fid, long iov, long desc, long count, long source, long address, long key,
            long context) {
        return CallLong.longLLLLLLLL(functions().readv, fid, iov, desc, count, source, address, key, context);
    }

    /** {@code fi_readmsg} */
    public long readmsg(long fid, long message, long flags) {
        return CallLong.longLLL(functions().readmsg, fid, message, flags);
    }

    /** {@code fi_write} */
    public long write(long fid, long buffer, long length, long desc, long destination, long address,
            long key, long context) {
        return CallLong.longLLLLLLLL(functions().write, fid, buffer, length, desc, destination, address, key, context);
    }

    /** {@code fi_writev} */
    public long writev(long fid, long iov, long desc, long count, long destination, long address,
            long key, long context) {
        return CallLong.longLLLLLLLL(functions().writev, fid, iov, desc, count, destination, address, key, context);
    }

    /** {@code fi_writemsg} */
    public long writemsg(long fid, long message, long flags) {
        return CallLong.longLLL(functions().writemsg, fid, message, flags);
    }

    /** {@code fi_inject_write} */
    public long inject(long fid, long buffer, long length, long destination, long address, long key) {
        return CallLong.longLLLLLL(functions().inject, fid, buffer, length, destination, address, key);
    }

    /** {@code fi_writedata} */
    public long writedata(long fid, long buffer, long length, long desc, long data, long destination,
            long address, long key, long context) {
        return CallLong.longLLLLLLLLL(functions().writedata, fid, buffer, length, desc, data, destination, address,
                key, context);
    }

    /** {@code fi_inject_writedata} */
    public long injectdata(long fid, long buffer, long length, long data, long destination,
            long address, long key) {
        return CallLong.longLLLLLLL(functions().injectdata, fid, buffer, length, data, destination, address, key);
    }
}
