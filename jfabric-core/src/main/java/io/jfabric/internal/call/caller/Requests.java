// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.async.OverloadException;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.CallFrames;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Outlet;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Aside;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** Sends the requests of a caller; {@link CallerReplies} handles what comes back. */
final class Requests {
    private final CallerImpl caller;
    private final CallFailures failures;
    private final Sessions sessions;
    private final OutgoingEnds ends;
    private final Window window;
    private final Hub hub;
    private final Outlet outlet;
    private final Wire wire;
    private final RequestPayloads payloads;
    private final AnswerPayloads answers;
    private final Withdrawals withdrawals;
    private final SlotMemory frames;

    Requests(CallerImpl caller, Sessions sessions, Window window, OutgoingEnds ends, Hub hub, Outlet outlet,
            RequestPayloads payloads, AnswerPayloads answers, Withdrawals withdrawals, SlotMemory frames) {
        this.caller = caller;
        this.failures = caller.failures();
        this.sessions = sessions;
        this.ends = ends;
        this.window = window;
        this.hub = hub;
        this.outlet = outlet;
        this.wire = hub.wire;
        this.payloads = payloads;
        this.answers = answers;
        this.withdrawals = withdrawals;
        this.frames = frames;
    }

    /** Starts a call that has so many nanoseconds left, in a slot that was popped for it. */
    void start(int slot, Outgoing<?> call, long left) {
        Session now = sessions.current();
        call.session = now;
        window.start(slot, call);
        // again: whoever ends a session then ends the calls in the window that belong to it
        for (Session next = sessions.current(); next != now; next = sessions.current()) {
            if (!call.moves(now, next)) {
                window.letGo(slot);
                return;
            }
            now = next;
        }
        if (now == null || call.isClaimed()) {
            // reset meanwhile: the call waits for the next session, unless it was ended, for example by the clock,
            // which then says that nothing was sent
            if (window.end(slot, call)) {
                window.letGo(slot);
                caller.waitsAgain(call);
            }
            window.letGo(slot);
            return;
        }
        MemorySegment frame = frames.of(slot);
        PooledBuffer longer = null;
        long length = call.requestLength();
        if (length > now.largest()) {
            notSent(call, slot, failures.tooLong(length, now.largest()));
            return;
        }
        AnswerRoom room;
        long start;
        long payload = 0;
        boolean goesAlong;
        try {
            room = answers.announce(call, slot, now);
            start = CallFrames.start(room);
            goesAlong = start + length <= Frame.HEADER + now.inlineBytes();
            if (goesAlong && start + length > frame.byteSize()) {
                longer = hub.take();
                goesAlong = longer != null;
            }
            if (goesAlong) {
                frame = longer == null ? frame : longer.segment();
                if (!call.copyRequest(frame, start)) {
                    giveBack(longer);
                    notSent(call, slot, failures.of(FabricError.ECANCELED, "it was given up as it began"));
                    return;
                }
                CallFrames.request(frame, now.connection(), now.key(), call.id, length, left, room);
            } else {
                payload = payloads.eagerTag(now, call);
                LongFrames.request(frame, now.connection(), now.key(), call.id, length, left, payload, room);
            }
        } catch (RuntimeException unusable) {
            // its memory was freed while it waited or is confined to another thread, or all is being closed
            giveBack(longer);
            notSent(call, slot, unusable);
            return;
        }
        if (goesAlong) {
            send(call, slot, frame, start + length, longer);
            return;
        }
        if (payload == 0) {
            send(call, slot, frame, start, null);
            return;
        }
        announce(call, slot, frame, start, payload);
    }

    /** Sends the announcement, and then the payload; the answer may come before this goes on. */
    private void announce(Outgoing<?> call, int slot, MemorySegment frame, long length, long payload) {
        if (!window.hold(slot, call)) {
            // it has ended meanwhile
            window.letGo(slot);
            return;
        }
        CompletableFuture<Void> announced = send(call, slot, frame, length, null);
        if (announced == null) {
            payloads.send(call, slot, payload);
            window.letGo(slot);
        } else if (announced.isDone()) {
            follow(call, slot, payload, announced.handle((done, failure) -> failure).join());
        } else {
            announced.whenComplete((done, failure) -> {
                follow(call, slot, payload, failure);
                caller.drainAfter(failure);
            });
        }
    }

    /**
     * Sends the payload of a call that was announced. If the service has not heard of the call, nothing receives its
     * payload, and some providers stop after a few such messages. If it may have heard of it, it is not to wait for the
     * payload.
     */
    private void follow(Outgoing<?> call, int slot, long payload, Throwable failure) {
        if (failure == null) {
            payloads.send(call, slot, payload);
        } else if (!(failure instanceof OverloadException)) {
            withdrawals.request(call.id);
        }
        window.letGo(slot);
    }

    private void notSent(Outgoing<?> call, int slot, Throwable why) {
        window.letGo(slot);
        ends.failHere(call, slot, failures.ofUnsent(why));
    }

    /**
     * Sends a request. Never starts another call in this thread before it returns, however it ends: a million may wait.
     * The slot is held before anything is sent, as the answer may come, and the slot be free for others, before this
     * goes on.
     *
     * @param buffer what the frame is in, to be given back; null if it is in the slot's own memory
     * @return done when the frame is sent; null if it is already
     */
    private CompletableFuture<Void> send(Outgoing<?> call, int slot, MemorySegment frame, long length,
            PooledBuffer buffer) {
        CompletableFuture<Void> sent;
        try {
            sent = outlet.send(frame, length, inline(frame));
        } catch (RuntimeException gone) {
            // peer or node is closed, or its address is gone
            ends.failHere(call, slot, failures.ofUnsent(gone));
            letGo(slot, buffer);
            return CompletableFuture.failedFuture(gone);
        }
        if (sent == null) {
            letGo(slot, buffer);
            return null;
        }
        if (Outlet.isCopied(sent)) {
            letGo(slot, buffer);
            // no other call is started in this thread, as a bundle may end in the middle of starting one
            sent.whenComplete((done, failure) -> {
                if (failure != null) {
                    ends.failHere(call, slot, failure);
                    Aside.start(caller::drainWherePolled);
                }
            });
        } else if (sent.isDone()) {
            ended(call, slot, sent, sent.handle((done, failure) -> failure).join(), buffer);
        } else {
            sent.whenComplete((done, failure) -> {
                ended(call, slot, sent, failure, buffer);
                caller.drainAfter(failure);
            });
        }
        return sent;
    }

    /** A message whose payload follows separately must not come after that payload. */
    private int inline(MemorySegment frame) {
        Session now = sessions.current();
        return now == null || Frame.type(frame) == Frame.CALL_LARGE ? 0 : now.inlineBytes();
    }

    private static void giveBack(PooledBuffer buffer) {
        if (buffer != null) {
            buffer.close();
        }
    }

    private void letGo(int slot, PooledBuffer buffer) {
        giveBack(buffer);
        window.letGo(slot);
    }

    private void ended(Outgoing<?> call, int slot, CompletableFuture<Void> sent, Throwable failure,
            PooledBuffer buffer) {
        if (failure == null) {
            letGo(slot, buffer);
            return;
        }
        ends.failHere(call, slot, failure);
        // the provider may still send what was given up: no other call may be written there before its end
        CompletableFuture<Void> released = wire.node.released(sent);
        if (released.isDone()) {
            letGo(slot, buffer);
        } else {
            released.thenRun(() -> {
                letGo(slot, buffer);
                caller.drainWherePolled();
            });
        }
    }
}
