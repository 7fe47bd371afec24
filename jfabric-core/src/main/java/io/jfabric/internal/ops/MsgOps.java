// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_msg;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Messages ({@code struct fi_ops_msg}): the functions of one endpoint, looked up
 * beforehand. Providers replace them when something is bound, enabled or set; then they must be {@link #lookUp looked
 * up} again.
 */
public class MsgOps {
    private static final long TABLE = fid_ep.msg$offset();
    private static final long RECV = fi_ops_msg.recv$offset();
    private static final long RECVV = fi_ops_msg.recvv$offset();
    private static final long RECVMSG = fi_ops_msg.recvmsg$offset();
    private static final long SEND = fi_ops_msg.send$offset();
    private static final long SENDV = fi_ops_msg.sendv$offset();
    private static final long SENDMSG = fi_ops_msg.sendmsg$offset();
    private static final long INJECT = fi_ops_msg.inject$offset();
    private static final long SENDDATA = fi_ops_msg.senddata$offset();
    private static final long INJECTDATA = fi_ops_msg.injectdata$offset();

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

    /** {@code fi_recv} */
    public long recv(long fid, long buffer, long length, long desc, long source, long context) {
        return CallLong.longLLLLLL(functions().recv, fid, buffer, length, desc, source, context);
    }

    /** {@code fi_recvv} */
    public long recvv(long fid, long iov, long desc, long count, long source, long context) {
        return CallLong.longLLLLLL(functions().recvv, fid, iov, desc, count, source, context);
    }

    /** {@code fi_recvmsg} */
    public long recvmsg(long fid, long message, long flags) {
        return CallLong.longLLL(functions().recvmsg, fid, message, flags);
    }

    /** {@code fi_send} */
    public long send(long fid, long buffer, long length, long desc, long destination, long context) {
        return CallLong.longLLLLLL(functions().send, fid, buffer, length, desc, destination, context);
    }

    /** {@code fi_sendv} */
    public long sendv(long fid, long iov, long desc, long count, long destination, long context) {
        return CallLong.longLLLLLL(functions().sendv, fid, iov, desc, count, destination, context);
    }

    /** {@code fi_sendmsg} */
    public long sendmsg(long fid, long message, long flags) {
        return CallLong.longLLL(functions().sendmsg, fid, message, flags);
    }

    /** {@code fi_inject} */
    public long inject(long fid, long buffer, long length, long destination) {
        return CallLong.longLLLL(functions().inject, fid, buffer, length, destination);
    }

    /** {@code fi_senddata} */
    public long senddata(long fid, long buffer, long length, long desc, long data, long destination,
            long context) {
        return CallLong.longLLLLLLL(functions().senddata, fid, buffer, length, desc, data, destination, context);
    }

    /** {@code fi_injectdata} */
    public long injectdata(long fid, long buffer, long length, long data, long destination) {
        return CallLong.longLLLLL(functions().injectdata, fid, buffer, length, data, destination);
    }
}
