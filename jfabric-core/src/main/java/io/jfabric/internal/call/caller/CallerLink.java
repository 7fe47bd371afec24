// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricArena;
import io.jfabric.FabricError;
import io.jfabric.async.Caller;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.Outlet;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.Leftover;
import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.MemorySegment;

/** Connects a caller to its service: memory, the hub, and who gets which of the messages from there. */
final class CallerLink implements Hub.Receiver {
    /** A header and what follows it in the same message, in memory that belongs to the slot. */
    private static final int SHORT = 4096;
    private static final Log LOG = Log.of(Caller.class);

    private final CallerImpl caller;
    private final Window window;
    private final NodeImpl node;
    private final FabricArena arena;
    private final long tag;
    private final long replies = Wire.replies(Wire.newNumber());
    private final Sessions sessions;
    private Hub hub;
    private Large large;
    private Requests requests;
    /** Set last: whoever sees it sees the other fields, too. */
    private volatile CallerReplies ofCalls;

    CallerLink(CallerImpl caller, Window window) {
        this.caller = caller;
        this.window = window;
        this.node = (NodeImpl) caller.peer().node();
        node.requireTagged("Caller.open");
        this.tag = Wire.requests(caller.service());
        this.sessions = new Sessions(caller, window, tag, replies);
        this.arena = FabricArenaImpl.openBorrowed(node.domain());
    }

    Drive drive() {
        return node.drive();
    }

    Sessions sessions() {
        return sessions;
    }

    Requests requests() {
        return requests;
    }

    void open() {
        MemorySegment greeting;
        Outlet outlet;
        try {
            greeting = arena.allocate(Greeting.length(node.address().bytes()));
            SlotMemory frames = new SlotMemory(arena, SHORT, window.size);
            SlotMemory controls = new SlotMemory(arena, Frame.HEADER, window.size);
            hub = Hub.join(node, replies, this);
            outlet = new Outlet(hub, caller.peer(), tag, true);
            OutgoingEnds ends = new OutgoingEnds(caller.failures(), window, drive());
            Withdrawals withdrawals = new Withdrawals(caller, sessions, hub, tag);
            AnswerPlaces places = new AnswerPlaces(caller, sessions, window, hub, outlet, withdrawals, controls);
            large = new Large(node.domain(), Long.MAX_VALUE);
            RequestPayloads sent = new RequestPayloads(caller, window, ends, hub.wire, large, withdrawals);
            AnswerPayloads received = new AnswerPayloads(caller, window, ends, places, hub, large);
            requests = new Requests(caller, sessions, window, ends, hub, outlet, sent, received, withdrawals, frames);
            ofCalls = new CallerReplies(caller, window, ends, sent, received, places, withdrawals);
        } catch (RuntimeException | Error e) {
            if (hub != null) {
                hub.leave(replies, this, false);
            }
            arena.tryClose();
            throw e;
        }
        sessions.open(hub, outlet, greeting);
    }

    @Override
    public Outgoing<?> arrived(PooledBuffer buffer, MemorySegment frame, long length) {
        // nobody knows the keys before the first hello
        if (!sessions.takes(frame)) {
            return null;
        }
        Outgoing<?> over = null;
        if (Sessions.isOfSession(Frame.type(frame))) {
            sessions.arrived(frame, length);
        } else {
            over = ofCalls.arrived(frame, length);
        }
        try {
            caller.drain();
        } catch (RuntimeException | Error e) {
            // the call that is over was claimed, and nobody else would finish it
            LOG.error("the calls that wait at {} could not be started", caller, e);
        }
        return over;
    }

    @Override
    public void ended() {
        sessions.end();
        caller.ended(caller.failures().of(FabricError.ECANCELED, "the node was closed"));
    }

    /** Says goodbye, if that is possible at once. Calls that were under way may still be answered. */
    void close(boolean hadCalls) {
        sessions.close();
        if (node.isOpen()) {
            hub.leave(replies, this, hadCalls);
        }
        if (large != null) {
            large.close();
        }
        Leftover.close(arena::tryClose);
    }
}
