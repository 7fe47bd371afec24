// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_tagged;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Tagged messages ({@code struct fi_ops_tagged}): the functions of one endpoint, looked up
 * beforehand. Providers replace them when something is bound, enabled or set; then they must be {@link #lookUp looked
 * up} again.
 */
public class TaggedOps {
    private static final long TABLE = fid_ep.tagged$offset();
    private static final long RECV = fi_ops_tagged.recv$offset();
    private static final long RECVV = fi_ops_tagged.recvv$offset();
    private static final long RECVMSG = fi_ops_tagged.recvmsg$offset();
    private static final long SEND = fi_ops_tagged.send$offset();
    private static final long SENDV = fi_ops_tagged.sendv$offset();
    private static final long SENDMSG = fi_ops_tagged.sendmsg$offset();
    private static final long INJECT = fi_ops_tagged.inject$offset();
    private static final long SENDDATA = fi_ops_tagged.senddata$offset();
    private static final long INJECTDATA = fi_ops_tagged.injectdata$offset();

    private static final FunctionSets<Functions> SETS = new FunctionSets<>();

    private record Functions(MemorySegment recv, MemorySegment recvv, MemorySegment recvmsg, MemorySegment send,
            MemorySegment sendv, MemorySegment sendmsg, MemorySegment inject, MemorySegment senddata,
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
        functions = SETS.of(new Functions(slot(fid, RECV), slot(fid, RECVV), slot(fid, RECVMSG), slot(fid, SEND),
                slot(fid, SENDV), slot(fid, SENDMSG), slot(fid, INJECT), slot(fid, SENDDATA), slot(fid, INJECTDATA)));
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

    /** {@code fi_trecv} */
    public long recv(long fid, long buffer, long length, long desc, long source, long tag,
            long ignore, long context) {
        return CallLong.longLLLLLLLL(functions().recv, fid, buffer, length, desc, source, tag, ignore, context);
    }

    /** {@code fi_trecvv} */
    public long recvv(long fid, long iov, long desc, long count, long source, long tag, long ignore,
            long context) {
        return CallLong.longLLLLLLLL(functions().recvv, fid, iov, desc, count, source, tag, ignore, context);
    }

    /** {@code fi_trecvmsg} */
    public long recvmsg(long fid, long message, long flags) {
        return CallLong.longLLL(functions().recvmsg, fid, message, flags);
    }

    /** {@code fi_tsend} */
    public long send(long fid, long buffer, long length, long desc, long destination, long tag, long context) {
        return CallLong.longLLLLLLL(functions().send, fid, buffer, length, desc, destination, tag, context);
    }

    /** {@code fi_tsendv} */
    public long sendv(long fid, long iov, long desc, long count, long destination, long tag, long context) {
        return CallLong.longLLLLLLL(functions().sendv, fid, iov, desc, count, destination, tag, context);
    }

    /** {@code fi_tsendmsg} */
    public long sendmsg(long fid, long message, long flags) {
        return CallLong.longLLL(functions().sendmsg, fid, message, flags);
    }

    /** {@code fi_tinject} */
    public long inject(long fid, long buffer, long length, long destination, long tag) {
        return CallLong.longLLLLL(functions().inject, fid, buffer, length, destination, tag);
    }

    /** {@code fi_tsenddata} */
    public long senddata(long fid, long buffer, long length, long desc, long data, long destination,
            long tag, long context) {
        return CallLong.longLLLLLLLL(functions().senddata, fid, buffer, length, desc, data, destination, tag, context);
    }

    /** {@code fi_tinjectdata} */
    public long injectdata(long fid, long buffer, long length, long data, long destination, long tag) {
        return CallLong.longLLLLLL(functions().injectdata, fid, buffer, length, data, destination, tag);
    }
}
