// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import io.jfabric.bindings.fi_ops_msg;
import io.jfabric.bindings.fid_ep;

/** Messages ({@code struct fi_ops_msg}). */
public final class MsgOps {
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

    private MsgOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_recv} */
    public static long recv(long fid, long buffer, long length, long desc, long source, long context) {
        return CallLong.longLLLLLL(slot(fid, RECV), fid, buffer, length, desc, source, context);
    }

    /** {@code fi_recvv} */
    public static long recvv(long fid, long iov, long desc, long count, long source, long context) {
        return CallLong.longLLLLLL(slot(fid, RECVV), fid, iov, desc, count, source, context);
    }

    /** {@code fi_recvmsg} */
    public static long recvmsg(long fid, long message, long flags) {
        return CallLong.longLLL(slot(fid, RECVMSG), fid, message, flags);
    }

    /** {@code fi_send} */
    public static long send(long fid, long buffer, long length, long desc, long destination, long context) {
        return CallLong.longLLLLLL(slot(fid, SEND), fid, buffer, length, desc, destination, context);
    }

    /** {@code fi_sendv} */
    public static long sendv(long fid, long iov, long desc, long count, long destination, long context) {
        return CallLong.longLLLLLL(slot(fid, SENDV), fid, iov, desc, count, destination, context);
    }

    /** {@code fi_sendmsg} */
    public static long sendmsg(long fid, long message, long flags) {
        return CallLong.longLLL(slot(fid, SENDMSG), fid, message, flags);
    }

    /** {@code fi_inject} */
    public static long inject(long fid, long buffer, long length, long destination) {
        return CallLong.longLLLL(slot(fid, INJECT), fid, buffer, length, destination);
    }

    /** {@code fi_senddata} */
    public static long senddata(long fid, long buffer, long length, long desc, long data, long destination,
            long context) {
        return CallLong.longLLLLLLL(slot(fid, SENDDATA), fid, buffer, length, desc, data, destination, context);
    }

    /** {@code fi_injectdata} */
    public static long injectdata(long fid, long buffer, long length, long data, long destination) {
        return CallLong.longLLLLL(slot(fid, INJECTDATA), fid, buffer, length, data, destination);
    }
}
