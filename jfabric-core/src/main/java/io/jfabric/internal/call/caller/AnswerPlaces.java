// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Outlet;
import io.jfabric.internal.call.wire.Resending;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Aside;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** Tells a service where the answers that it has announced are received, or that nobody wants them. */
final class AnswerPlaces {
    private final CallerImpl caller;
    private final Sessions sessions;
    private final Window window;
    private final Hub hub;
    private final Outlet outlet;
    private final Withdrawals withdrawals;
    private final SlotMemory frames;

    AnswerPlaces(CallerImpl caller, Sessions sessions, Window window, Hub hub, Outlet outlet,
            Withdrawals withdrawals, SlotMemory frames) {
        this.caller = caller;
        this.sessions = sessions;
        this.window = window;
        this.hub = hub;
        this.outlet = outlet;
        this.withdrawals = withdrawals;
        this.frames = frames;
    }

    /** Tells the service where it may send an answer that it has announced. */
    void tellWhere(Outgoing<?> call, int slot, long length, long number, Wire.Incoming incoming) {
        if (!tell(call, slot, length, number, incoming)) {
            incoming.cancel();
            withdrawals.answer(call.id, number);
        }
    }

    /** Tells the service that nobody wants the answer that it has announced. */
    void tellDropped(Outgoing<?> call, int slot, long number) {
        if (!tell(call, slot, 0, number, null)) {
            withdrawals.answer(call.id, number);
        }
    }

    /**
     * Says where the answer is received, or, if {@code incoming} is null, that it is not. False if the call is over,
     * and the slot's memory no longer its own.
     */
    private boolean tell(Outgoing<?> call, int slot, long length, long number, Wire.Incoming incoming) {
        if (!window.hold(slot, call)) {
            return false;
        }
        Session now = sessions.current();
        int connection = now == null ? 0 : now.connection();
        long key = now == null ? 0 : now.key();
        MemorySegment control = frames.of(slot);
        try {
            if (incoming == null) {
                LongFrames.drop(control, connection, key, call.id, number);
            } else {
                LongFrames.goAnswer(control, connection, key, call.id, length, incoming.tag(), number);
            }
        } catch (IllegalStateException closing) {
            window.letGo(slot);
            notTold(incoming, closing);
            return true;
        }
        new Control(slot, control, incoming, call.id, number).send();
        return true;
    }

    /** Nothing will come there, which ends the call. */
    private void notTold(Wire.Incoming incoming, Throwable why) {
        if (incoming != null) {
            incoming.giveUp(switch (NodeFuture.cause(why)) {
                // that error would say that the service has not handled it
                case OverloadException full -> caller.failures().of(FabricError.ENOMEM, "the service has handled the "
                        + "call, and could not be told where to send the answer: " + full.getMessage());
                case FabricException message -> caller.failures().of(message.error(), "the service has handled the "
                        + "call, and could not be told where to send the answer", message);
                case Throwable other -> other;
            });
        }
    }

    /** The service keeps a place for the answer until it gets this. */
    private final class Control extends Resending {
        private final int slot;
        private final MemorySegment frame;
        /** Null if it says that nobody wants the answer. */
        private final Wire.Incoming incoming;
        private final long id;
        private final long number;
        private CompletableFuture<Void> sent;

        Control(int slot, MemorySegment frame, Wire.Incoming incoming, long id, long number) {
            this.slot = slot;
            this.frame = frame;
            this.incoming = incoming;
            this.id = id;
            this.number = number;
        }

        @Override
        protected CompletableFuture<Void> sendOnce() {
            sent = null;
            Session now = sessions.current();
            sent = outlet.send(frame, Frame.HEADER, now == null ? 0 : now.inlineBytes());
            return sent;
        }

        @Override
        protected void over(Throwable failure) {
            if (failure != null) {
                notTold(incoming, failure);
                withdrawals.answer(id, number);
            }
            hub.wire.node.whenReleased(sent, sent == null ? null : failure, () -> {
                if (window.letGo(slot)) {
                    // no other call is started in this thread, as it may be in the middle of ending one
                    Aside.start(caller::drainWherePolled);
                }
            });
        }
    }
}
