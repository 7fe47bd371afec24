// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import io.jfabric.bindings.fi_ops_tagged;
import io.jfabric.bindings.fid_ep;

/** Tagged messages ({@code struct fi_ops_tagged}). */
public final class TaggedOps {
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

    private TaggedOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_trecv} */
    public static long recv(long fid, long buffer, long length, long desc, long source, long tag,
            long ignore,
            long context) {
        return CallLong.longLLLLLLLL(slot(fid, RECV), fid, buffer, length, desc, source, tag, ignore, context);
    }

    /** {@code fi_trecvv} */
    public static long recvv(long fid, long iov, long desc, long count, long source, long tag, long ignore,
            long context) {
        return CallLong.longLLLLLLLL(slot(fid, RECVV), fid, iov, desc, count, source, tag, ignore, context);
    }

    /** {@code fi_trecvmsg} */
    public static long recvmsg(long fid, long message, long flags) {
        return CallLong.longLLL(slot(fid, RECVMSG), fid, message, flags);
    }

    /** {@code fi_tsend} */
    public static long send(long fid, long buffer, long length, long desc, long destination, long tag, long context) {
        return CallLong.longLLLLLLL(slot(fid, SEND), fid, buffer, length, desc, destination, tag, context);
    }

    /** {@code fi_tsendv} */
    public static long sendv(long fid, long iov, long desc, long count, long destination, long tag, long context) {
        return CallLong.longLLLLLLL(slot(fid, SENDV), fid, iov, desc, count, destination, tag, context);
    }

    /** {@code fi_tsendmsg} */
    public static long sendmsg(long fid, long message, long flags) {
        return CallLong.longLLL(slot(fid, SENDMSG), fid, message, flags);
    }

    /** {@code fi_tinject} */
    public static long inject(long fid, long buffer, long length, long destination, long tag) {
        return CallLong.longLLLLL(slot(fid, INJECT), fid, buffer, length, destination, tag);
    }

    /** {@code fi_tsenddata} */
    public static long senddata(long fid, long buffer, long length, long desc, long data, long destination,
            long tag,
            long context) {
        return CallLong.longLLLLLLLL(slot(fid, SENDDATA), fid, buffer, length, desc, data, destination, tag, context);
    }

    /** {@code fi_tinjectdata} */
    public static long injectdata(long fid, long buffer, long length, long data, long destination, long tag) {
        return CallLong.longLLLLLL(slot(fid, INJECTDATA), fid, buffer, length, data, destination, tag);
    }
}
