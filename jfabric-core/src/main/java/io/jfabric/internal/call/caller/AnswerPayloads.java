// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.Discards;
import io.jfabric.internal.call.wire.EarlyRooms;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** The long answers to a caller: each is received on its own, in the program's memory or in a block. */
final class AnswerPayloads {
    private final CallerImpl caller;
    private final CallFailures failures;
    private final OutgoingEnds ends;
    private final AnswerPlaces places;
    private final Window window;
    private final Wire wire;
    private final Large large;
    private final Discards discards;
    private final EarlyRooms earlyRooms;
    /** Whether the last answer was long: then the next one probably is, too. */
    private volatile boolean answersAreLong;

    AnswerPayloads(CallerImpl caller, Window window, OutgoingEnds ends, AnswerPlaces places, Hub hub, Large large) {
        this.caller = caller;
        this.failures = caller.failures();
        this.ends = ends;
        this.places = places;
        this.window = window;
        this.wire = hub.wire;
        this.large = large;
        this.discards = hub.discards;
        this.earlyRooms = hub.earlyRooms;
    }

    void wasShort() {
        if (answersAreLong) {
            answersAreLong = false;
        }
    }

    /** Receives the answer before it is announced, if that is probably long; then the call is claimed. Null if not. */
    AnswerRoom announce(Outgoing<?> call, int slot, Session session) {
        MemorySegment room = answersAreLong ? call.wholeRoom() : null;
        if (room == null || room.byteSize() <= session.inlineBytes() || room.byteSize() > Wire.EAGER
                || room.byteSize() > caller.options().largestAnswer()
                || room.byteSize() > wire.messageSize() || leavesNoPlace(call, session)
                || !earlyRooms.take(call.left())) {
            return null;
        }
        if (!call.claim()) {
            earlyRooms.giveBack();
            return null;
        }
        Landing landing = new Landing(call, wire.node);
        Wire.Incoming incoming;
        try {
            incoming = land(call, slot, landing, room, true);
        } catch (RuntimeException unusable) {
            earlyRooms.giveBack();
            call.reopen();
            throw unusable;
        }
        if (incoming == null) {
            // the call goes without a room, and its answer will be dropped
            earlyRooms.giveBack();
            return null;
        }
        if (incoming.received().isCompletedExceptionally()) {
            // so does this call, as its receive would have to wait; a service that knew of the room could send there
            // earlier
            earlyRooms.giveBack();
            landsNot(call, slot, landing);
            call.reopen();
            return null;
        }
        Announced announced = new Announced(call, incoming, room);
        call.announced = announced;
        whenReleased(incoming, landing, room, (received, failure) -> {
            if (failure == null) {
                earlyRooms.giveBack();
            } else {
                earlyRooms.discard(room.byteSize(), incoming.tag(), left(call));
            }
            if (failure == null && received > 0) {
                answersAreLong = received > session.inlineBytes();
                call.arrived(room.asSlice(0, received));
            } else {
                // first: an answer that comes the other way goes into the same memory
                landing.over();
                switch (announced.released(failure != null)) {
                    case DECIDED -> announced.deliver();
                    case OVER -> call.failure(isLate(failure) ? failures.of(FabricError.ETIMEDOUT, "no answer in time")
                            : notReceived(failure));
                    default -> {
                        landing.tell();
                        call.giveBack();
                        window.letGo(slot);
                        // the message may have come meanwhile in another thread, which then found no free slot
                        caller.drain();
                        return;
                    }
                }
            }
            end(call, slot, landing, failure);
        });
        landing.posted(incoming);
        return new AnswerRoom(incoming.tag(), room.byteSize());
    }

    /** Whether the request fits into the message with the call, but not together with the room of the answer. */
    private static boolean leavesNoPlace(Outgoing<?> call, Session session) {
        long room = session.inlineBytes() - call.requestLength();
        return room >= 0 && room < AnswerRoom.BYTES;
    }

    /** Receives into the program's memory, and holds the slot; null if the call has ended already. */
    private Wire.Incoming land(Outgoing<?> call, int slot, Landing landing, MemorySegment room, boolean atOnce) {
        if (!window.hold(slot, call)) {
            return null;
        }
        if (!call.lands(landing)) {
            window.letGo(slot);
            return null;
        }
        if (!call.lend()) {
            landing.over();
            landing.tell();
            window.letGo(slot);
            return null;
        }
        try {
            return atOnce ? wire.receivePayloadAtOnce(room, left(call)) : wire.receivePayload(room, left(call));
        } catch (RuntimeException notPosted) {
            landsNot(call, slot, landing);
            throw notPosted;
        }
    }

    /** Nothing is received after all. */
    private void landsNot(Outgoing<?> call, int slot, Landing landing) {
        landing.over();
        landing.tell();
        call.giveBack();
        window.letGo(slot);
    }

    /**
     * Calls {@code then} at once on success; after a failure when nothing can come into the room any more, which is
     * memory of the program or a block.
     */
    private void whenReleased(Wire.Incoming incoming, Landing landing, MemorySegment room,
            BiConsumer<Long, Throwable> then) {
        incoming.received().whenComplete((received, failure) -> {
            if (failure == null) {
                then.accept(received, null);
                return;
            }
            CompletableFuture<Void> released = incoming.released();
            released.thenRun(() -> then.accept(0L, failure));
            if (landing != null && !released.isDone()) {
                landing.isKept(room, released, failures.of(FabricError.ETIMEDOUT, "the answer has begun to come, "
                        + "and did not end in time; libfabric may still write to its memory, until Node.released"));
            }
        });
    }

    private static Duration left(Outgoing<?> call) {
        return Duration.ofNanos(call.left());
    }

    private void end(Outgoing<?> call, int slot, Landing landing, Throwable failure) {
        ends.over(call, slot);
        window.letGo(slot);
        caller.drainAfter(failure);
        if (landing == null) {
            call.finish();
            return;
        }
        landing.over();
        if (!landing.tell()) {
            call.finish();
        }
        call.giveBack();
    }

    /** The answer is announced: makes room for it, within the patience of the service. The call is claimed. */
    Outgoing<?> receive(Outgoing<?> call, int slot, long length, long number, long patience) {
        answersAreLong = true;
        Large.Block block = null;
        MemorySegment room;
        try {
            if (length > caller.options().largestAnswer()) {
                throw failures.tooLong(length);
            }
            room = call.room(length);
            if (room == null) {
                block = large.take(length);
                if (block == null) {
                    throw failures.of(FabricError.ENOMEM, "no memory for an answer of " + length + " bytes");
                }
                room = block.memory(length);
            }
            if (block == null ? receiveInPlace(call, slot, room, number, patience)
                    : receive(call, slot, room, block, number, patience)) {
                return null;
            }
            places.tellDropped(call, slot, number);
            Outgoing<?> over = ends.over(call, slot);
            if (call.isEndedByProgram()) {
                return null;
            }
            // another thread has given it up, and left its end to the one that had claimed it
            call.failure(failures.of(FabricError.ECONNRESET, "it was given up while its answer came"));
            return over;
        } catch (FabricException | IllegalStateException | WrongThreadException e) {
            // the latter two: its memory was freed meanwhile, or is confined to another thread
            call.failure(e instanceof IllegalStateException met ? failures.closedMeanwhile(met) : e);
            places.tellDropped(call, slot, number);
            return ends.over(call, slot);
        }
    }

    private boolean receiveInPlace(Outgoing<?> call, int slot, MemorySegment room, long number, long patience) {
        Landing landing = new Landing(call, wire.node);
        Wire.Incoming incoming = land(call, slot, landing, room, false);
        if (incoming == null) {
            return false;
        }
        boolean told = isTold(incoming);
        whenReleased(incoming, landing, room, (received, failure) -> {
            if (isWhole(call, room, received, failure, patience)) {
                call.arrived(room);
            }
            if (told) {
                discard(incoming, room, failure);
            }
            end(call, slot, landing, failure);
        });
        if (told) {
            places.tellWhere(call, slot, room.byteSize(), number, incoming);
        } else {
            places.tellDropped(call, slot, number);
        }
        landing.posted(incoming);
        return true;
    }

    /** Receives into a block, which outlives the call if need be: the future need not wait for the provider. */
    private boolean receive(Outgoing<?> call, int slot, MemorySegment room, Large.Block block, long number,
            long patience) {
        if (!window.hold(slot, call)) {
            Large.release(block, null);
            return false;
        }
        Wire.Incoming incoming;
        try {
            incoming = wire.receivePayload(room, left(call));
        } catch (RuntimeException notPosted) {
            window.letGo(slot);
            Large.release(block, notPosted);
            throw notPosted;
        }
        boolean told = isTold(incoming);
        incoming.received().whenComplete((received, failure) -> {
            if (isWhole(call, room, received, failure, patience)) {
                call.deliver(room, 0, received);
            }
            Large.release(block, failure);
            end(call, slot, null, failure);
        });
        if (told) {
            whenReleased(incoming, null, room, (received, failure) -> discard(incoming, room, failure));
        }
        places.tellWhere(call, slot, room.byteSize(), number, incoming);
        call.whenComplete((answer, failure) -> {
            if (failure != null) {
                incoming.cancel();
            }
        });
        return true;
    }

    /** Whether the service will be told where to send the answer: not if there is no place to receive it. */
    private static boolean isTold(Wire.Incoming incoming) {
        return !incoming.received().isCompletedExceptionally();
    }

    /** Whether the answer is here in full; if not, the call fails. */
    private boolean isWhole(Outgoing<?> call, MemorySegment room, Long received, Throwable failure, long patience) {
        if (failure != null) {
            call.failure(notReceived(failure));
        } else if (received == Wire.LATE && room.byteSize() > Wire.LATE) {
            call.failure(failures.of(FabricError.ECONNRESET, "the service gave up the answer, as this process did not "
                    + "take it within " + TimeUnit.NANOSECONDS.toSeconds(patience) + " s: was it stopped, or its node "
                    + "not polled?"));
        } else if (received != room.byteSize()) {
            call.failure(failures.of(FabricError.ECONNRESET, "the service gave up the answer: it could not send it, or "
                    + "its memory was freed too early (the future of Call.answer says which)"));
        }
        return failure == null && received == room.byteSize();
    }

    /** Why the call fails. A full backlog does not mean here that nothing has been done. */
    private FabricException notReceived(Throwable failure) {
        return switch (NodeFuture.cause(failure)) {
            case FabricException own when failures.isOwn(own) -> own;
            case OverloadException full -> failures.of(FabricError.ENOMEM, "the service has handled the call, but "
                    + "there was no room for the answer: " + full.getMessage());
            case FabricException cancelled when cancelled.error() == FabricError.ECANCELED -> failures.isOver()
                    ? failures.ofMessage(cancelled)
                    // providers also do so when a connection breaks
                    : failures.of(FabricError.ECONNRESET, "the connection broke before the answer was here",
                            cancelled);
            case IllegalStateException met
                    when failures.closedMeanwhile(met) instanceof FabricException closed -> closed;
            case Throwable end when isLate(end) -> failures.of(FabricError.ETIMEDOUT, "the service has handled the "
                    + "call, but there was no complete answer in time");
            // what it was to be read from is gone, as the process is that has sent it
            case FabricException lost when lost.error() == FabricError.EIO -> failures.of(FabricError.ECONNRESET,
                    "the answer could not be received", lost);
            case FabricException why -> failures.of(why.error(), "the answer could not be received", why);
            case Throwable why -> failures.of(FabricError.ETIMEDOUT, "the answer did not come: " + why);
        };
    }

    /** Whether the receive, of which the program knows nothing, ended at the deadline of the call. */
    private static boolean isLate(Throwable failure) {
        Throwable cause = NodeFuture.cause(failure);
        return cause instanceof CancellationException
                || cause instanceof FabricException receive && receive.error() == FabricError.ETIMEDOUT;
    }

    /** The service was told where to send the answer, and may still do so although nobody waits for it any more. */
    private void discard(Wire.Incoming incoming, MemorySegment room, Throwable failure) {
        if (failure != null) {
            discards.add(room.byteSize(), incoming.tags());
        }
    }
}
