// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.Receive;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Receives what members still send to a group that has failed here, all into the same memory: messages that nobody
 * receives keep some providers from going on with what follows. Tags of such groups are not used again. Any thread.
 */
final class Leftovers {
    private static final Log LOG = Log.of(Node.class);
    /** How long a member may not have heard of the failure, in nanoseconds. */
    private static final long PATIENCE = 30_000_000_000L;
    /** They take at most one in so many of the places for receives of groups. */
    private static final int SHARE = 8;
    /** In bytes; longer messages are cut off. */
    private static final long LONGEST = 4 << 20;

    private final NodeImpl node;
    private final GroupMemory memory;
    private final Lane lane;
    private final int most;
    private final boolean byMask;
    /** The oldest first; guarded by this, like the next field. */
    private final Deque<Receive> underWay = new ArrayDeque<>();
    private MemorySegment room;

    Leftovers(NodeImpl node, GroupMemory memory, Lane lane) {
        this.node = node;
        this.memory = memory;
        this.lane = lane;
        long places = Math.min(node.options().receiveLimit(), node.info().rx().size());
        // none where connections have receives of their own, nor if there is only one place
        this.most = node.common().endpoint() == null || places == 1 ? 0 : (int) Math.max(1, places / SHARE);
        this.byMask = !Quirks.of(node.info().provider()).has(Quirk.EARLY_TAGS_BY_OTHER_MASKS);
    }

    /** Receives all messages of a group that receives none itself any more. */
    void receiveAll(long tag, long ignore) {
        if (byMask) {
            receive(tag, ignore, Clock.after(PATIENCE));
        }
    }

    /** Receives a message that a member was told to send, where all cannot be received together. */
    void receiveOne(long tag) {
        if (!byMask) {
            receive(tag, 0, Clock.after(PATIENCE));
        }
    }

    private void receive(long tag, long ignore, long until) {
        try {
            start(tag, ignore, until);
        } catch (RuntimeException | Error none) {
            // the node was closed meanwhile, or there is no memory: the caller must not fail for that
            LOG.debug("what is still sent to a group that has failed is not received", none);
        }
    }

    private void start(long tag, long ignore, long until) {
        Receive next;
        Receive oldest;
        synchronized (this) {
            if (most == 0 || !node.isOpen()) {
                return;
            }
            if (room == null) {
                room = memory.take(LONGEST);
            }
            next = new Receive(node.common(), lane, null, node.common().endpoint(), until, room, 0, LONGEST, true, tag,
                    ignore);
            oldest = underWay.size() < most ? null : underWay.remove();
            underWay.add(next);
        }
        if (oldest != null) {
            oldest.cancel(true);
        }
        try {
            node.drive().start(next);
        } catch (RuntimeException | Error refused) {
            next.end(refused);
            forget(next);
            throw refused;
        }
        next.whenComplete((received, failure) -> {
            forget(next);
            if (ignore != 0 && mayFollow(failure)) {
                receive(tag, ignore, until);
            }
        });
    }

    private synchronized void forget(Receive one) {
        underWay.remove(one);
    }

    /** Whether to receive another one: the last was neither given up nor refused. */
    private static boolean mayFollow(Throwable failure) {
        return failure == null || NodeFuture.cause(failure) instanceof FabricException known
                && !(known instanceof OverloadException) && known.error() != FabricError.ETIMEDOUT
                && known.error() != FabricError.ECANCELED;
    }
}
