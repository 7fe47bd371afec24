// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.info.FabricInfo;
import io.jfabric.internal.context.ContextReader;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ops.MsgOps;
import io.jfabric.internal.shared.Sizes;
import io.jfabric.option.BindFlag;
import java.util.HashMap;
import java.util.Map;

/**
 * Messages where the provider writes over completions that nobody has read: no more are under way or unread than the
 * sizes of the endpoint say, and its queues have room for as many.
 */
public final class CountedMessages extends MsgOps {
    private final Contexts contexts;
    private final long mostSends;
    private final long mostReceives;
    /** What it has of each queue, for both directions. */
    private final Map<ContextReader, long[]> rooms = new HashMap<>();

    CountedMessages(Contexts contexts, FabricInfo info) {
        this.contexts = contexts;
        this.mostSends = Sizes.counted(info.tx().size());
        this.mostReceives = Sizes.counted(info.rx().size());
    }

    /** Before a queue is bound for these directions: throws if it has too little room left. */
    public synchronized void takeRoom(ContextReader queue, long directions) {
        long sends = sends(directions);
        long receives = receives(directions);
        if (!queue.room().reports().take(sends + receives)) {
            throw new IllegalStateException("fi_ep_bind: the endpoint may have " + (sends + receives)
                    + " completions in the queue, which has room for " + queue.room().reports().left()
                    + " more beside those of its other endpoints; open the queue with a larger size, or the endpoint "
                    + "with smaller tx().size() and rx().size(); after endpoints were closed, poll it until it is "
                    + "empty");
        }
        add(queue, sends, receives);
    }

    /** It was not bound. */
    public synchronized void giveBack(ContextReader queue, long directions) {
        add(queue, -sends(directions), -receives(directions));
        queue.room().reports().giveBack(sends(directions) + receives(directions), 0);
    }

    private void add(ContextReader queue, long sends, long receives) {
        long[] room = rooms.computeIfAbsent(queue, any -> new long[2]);
        room[0] += sends;
        room[1] += receives;
    }

    private long sends(long directions) {
        return (directions & BindFlag.TRANSMIT.code()) != 0 ? mostSends : 0;
    }

    private long receives(long directions) {
        return (directions & BindFlag.RECV.code()) != 0 ? mostReceives : 0;
    }

    /** As {@link Functions#close}. */
    synchronized void close() {
        long sends = contexts.transmits().busy();
        long receives = contexts.receives().busy() + contexts.silent().busy();
        rooms.forEach((queue, room) -> {
            long unread = Math.min(room[0], sends) + Math.min(room[1], receives);
            queue.room().reports().giveBack(room[0] + room[1], unread);
            if (unread > 0) {
                queue.sayWhenEmpty();
            }
        });
        rooms.clear();
    }

    /** The operation itself has been counted, if it is reported. */
    private boolean mayNotSend() {
        return !contexts.transmits().hasAtMost(mostSends);
    }

    private boolean mayNotReceive() {
        return !contexts.receives().hasAtMost(mostReceives - contexts.silent().busy());
    }

    @Override
    public long send(long fid, long buffer, long length, long desc, long destination, long context) {
        return mayNotSend() ? -Errno.EAGAIN : super.send(fid, buffer, length, desc, destination, context);
    }

    @Override
    public long sendv(long fid, long iov, long desc, long count, long destination, long context) {
        return mayNotSend() ? -Errno.EAGAIN : super.sendv(fid, iov, desc, count, destination, context);
    }

    @Override
    public long sendmsg(long fid, long message, long flags) {
        return mayNotSend() ? -Errno.EAGAIN : super.sendmsg(fid, message, flags);
    }

    @Override
    public long recv(long fid, long buffer, long length, long desc, long source, long context) {
        return mayNotReceive() ? -Errno.EAGAIN : super.recv(fid, buffer, length, desc, source, context);
    }

    @Override
    public long recvv(long fid, long iov, long desc, long count, long source, long context) {
        return mayNotReceive() ? -Errno.EAGAIN : super.recvv(fid, iov, desc, count, source, context);
    }

    @Override
    public long recvmsg(long fid, long message, long flags) {
        return mayNotReceive() ? -Errno.EAGAIN : super.recvmsg(fid, message, flags);
    }
}
