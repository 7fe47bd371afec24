// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.context.MemoryCheck;
import io.jfabric.internal.life.Bias;
import io.jfabric.internal.life.Entry;
import io.jfabric.internal.life.Exclusive;
import io.jfabric.internal.life.FidObject;
import java.util.function.LongPredicate;

/**
 * What every operation of one family has to pass: the endpoint is open and enabled, was opened with the capability, and
 * can reach the peer. Costs an operation one comparison; all else is checked again only after an address was removed,
 * or the connection has ended.
 */
public final class Gate {
    private final EndpointState state;
    private final FidObject object;
    private final Entry entry;
    /** The native address: {@link Entry#enter} returns it, too, but a native call need not wait for that. */
    private final long fid;
    private final Peers peers;
    private final Capability family;
    /** What this side must be able to do to start operations; null if either direction will do. */
    private final Capability direction;
    /** What the thread must enter as well to post a receive; null if nothing. */
    private final Exclusive receiving;
    /** Peers below this, unsigned, need no closer look. Read without synchronisation: a stale value is lower. */
    private long peerLimit;
    /** The same for sources, plus one, so that {@link Address#ANY} is the lowest. */
    private long sourceLimit;
    /** Asked inside, about peers and sources that the limits do not cover; null if each has to be checked. */
    private volatile LongPredicate inVector;
    private volatile LongPredicate sourceInVector;
    /** How the owner last came in; kept here to save a chain of loads. */
    private Bias lastIn = Bias.NOBODY;

    Gate(EndpointState state, Capability family, Capability direction) {
        this.state = state;
        this.object = state.object();
        this.entry = object.entry();
        this.fid = object.fid();
        this.peers = state.peers();
        this.receiving = state.domain().receiving();
        this.family = family;
        this.direction = direction;
    }

    /** For an operation that sends to a peer: the thread goes in. Returns what {@link #leave(Bias)} needs. */
    public Bias to(long peer) {
        Bias in = goIn();
        return Long.compareUnsigned(peer, peerLimit) < 0 ? in : goInAgain(in, peer);
    }

    /** Goes out to check the peer, as that may have to wait for a closer. */
    private Bias goInAgain(Bias before, long peer) {
        if (isGood(peer)) {
            return before;
        }
        leave(before);
        look(peer);
        Bias in = goIn();
        if (!peers.has(peer)) {
            leave(in);
            throw removed("destination", peer);
        }
        return in;
    }

    private boolean isGood(long peer) {
        return Long.compareUnsigned(peer, peerLimit) < 0 || isIn(inVector, peer);
    }

    private boolean isGoodSource(long peer) {
        return Long.compareUnsigned(peer + 1, sourceLimit) < 0 || isIn(sourceInVector, peer);
    }

    private static boolean isIn(LongPredicate all, long peer) {
        return all != null && all.test(peer);
    }

    /** For a collective operation: whom it sends to is up to the group. */
    public long toGroup() {
        if (peerLimit == 0) {
            object.handle();
            state.rights().require(family, direction);
            state.contexts().checkTransmitQueue();
            peerLimit = 1;
        }
        return enter();
    }

    /** For a receive, maybe from one peer only; to be followed by {@link #leaveReceive(Bias)}. */
    public Bias from(long peer) {
        Bias in = goIn();
        if (!isGoodSource(peer)) {
            leave(in);
            lookForReceive(peer);
            in = goIn();
            if (!peers.hasSource(peer)) {
                leave(in);
                throw removed("source", peer);
            }
        }
        Exclusive.enter(receiving);
        return in;
    }

    /** As {@link #to}, but the thread stays outside: what follows may open or close something. */
    public void checkTo(long peer) {
        object.handle();
        if (!isGood(peer)) {
            look(peer);
        }
    }

    /** For a message to a multicast group; the thread stays outside. */
    public void checkToGroup(long group) {
        object.handle();
        state.rights().require(family, direction);
        state.contexts().checkTransmitQueue();
        peers.checkGroup(group);
    }

    /** As {@link #from}, but the thread stays outside. */
    public void checkFrom(long peer) {
        object.handle();
        if (!isGoodSource(peer)) {
            lookForReceive(peer);
        }
    }

    /** Goes in after {@link #checkTo}; throws if that is too late, and releases what was to be kept. */
    public long enterTo(long peer, Object keep) {
        enter(keep);
        if (!isGood(peer) && !peers.has(peer)) {
            throw tooLate("destination", peer, keep);
        }
        return fid;
    }

    /** The same after {@link #checkFrom}, to look for a message; to be followed by {@link #leaveReceive()}. */
    public long enterToReceive(long peer, Object keep) {
        enter(keep);
        if (!isGoodSource(peer) && !peers.hasSource(peer)) {
            throw tooLate("source", peer, keep);
        }
        Exclusive.enter(receiving);
        return fid;
    }

    /** The same after {@link #checkToGroup}. */
    public long enterToGroup(long group, Object keep) {
        enter(keep);
        if (!peers.hasGroup(group)) {
            throw tooLate("group", group, keep);
        }
        return fid;
    }

    private void enter(Object keep) {
        try {
            enter();
        } catch (RuntimeException e) {
            Kept.release(keep);
            throw e;
        }
    }

    private IllegalArgumentException tooLate(String role, long peer, Object keep) {
        entry.leave();
        Kept.release(keep);
        return removed(role, peer);
    }

    /** The handle, for a thread that is inside. */
    public long fid() {
        return fid;
    }

    private Bias goIn() {
        Bias in = lastIn;
        return in.enters() ? in : goInAnew();
    }

    private Bias goInAnew() {
        Bias in = MemoryCheck.ON ? null : entry.own();
        if (in == null) {
            enter();
        } else {
            lastIn = in;
        }
        return in;
    }

    /** Goes in without checking a peer. */
    public long enter() {
        if (entry.enter() == 0) {
            throw object.unusable();
        }
        if (MemoryCheck.ON) {
            checkFunctions();
        }
        return fid;
    }

    private void checkFunctions() {
        try {
            state.checkFunctions();
        } catch (IllegalStateException e) {
            entry.leave();
            throw e;
        }
    }

    /** After the native call, with what the way in returned. */
    public void leave(Bias in) {
        if (in != null) {
            in.leave();
        } else {
            entry.leave();
        }
    }

    /** After a receive was posted, with what {@link #from} returned. */
    public void leaveReceive(Bias in) {
        Exclusive.leave(receiving);
        leave(in);
    }

    /** After {@link #enter} and the native call. */
    public void leave() {
        entry.leave();
    }

    /** The same after {@link #enterToReceive}. */
    public void leaveReceive() {
        Exclusive.leave(receiving);
        entry.leave();
    }

    private void look(long peer) {
        object.handle();
        state.rights().require(family, direction);
        state.contexts().checkTransmitQueue();
        peers.check(peer);
        synchronized (this) {
            peerLimit = peers.limit();
        }
        inVector = peers.inVector();
    }

    private void lookForReceive(long peer) {
        object.handle();
        state.rights().require(family, Capability.RECV);
        boolean tagged = family == Capability.TAGGED;
        peers.checkSource(peer, tagged);
        synchronized (this) {
            long limit = peers.sourceLimit(tagged);
            sourceLimit = limit == -1 ? limit : limit == -2 ? 0 : limit + 1;
        }
        sourceInVector = peers.sourceInVector(tagged);
    }

    /** Another thread has removed it since it was checked. */
    private static IllegalArgumentException removed(String role, long peer) {
        return new IllegalArgumentException(role + " " + peer + " has just been removed from the address vector");
    }

    /**
     * An address was removed, or the connection has ended. Whoever removes an address waits for those inside; whoever
     * comes in later sees this.
     */
    synchronized void reset() {
        peerLimit = 0;
        sourceLimit = 0;
        // else nobody would look at the limits again
        inVector = null;
        sourceInVector = null;
    }
}
