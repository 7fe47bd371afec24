// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Service;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Parts;
import io.jfabric.internal.call.wire.Pieces;
import io.jfabric.internal.call.wire.Resending;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.ffi.Log;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Answers that were announced, and wait until the caller has made room for them. */
final class LongAnswers {
    /** How long an answer waits at most: as long as its call has left, but within these. */
    private static final long SHORTEST_PATIENCE = TimeUnit.SECONDS.toNanos(30);
    /** Even a caller that is gone takes places and memory for that long, if nobody hears of it. */
    private static final long LONGEST_PATIENCE = TimeUnit.MINUTES.toNanos(5);
    private static final long PERIOD = 500;
    private static final Log LOG = Log.of(Service.class);

    private final ServiceImpl service;
    private final Callers callers;
    private final Replies replies;
    private final Wire wire;
    private final Large large;
    private final Map<Long, Waiting> all = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong(ThreadLocalRandom.current().nextLong());
    private final Sweep sweep = new Sweep(PERIOD, () -> endLate(Clock.now()));
    private final Seldom freed = new Seldom();

    /** An answer that waits. */
    private final class Waiting {
        private final IncomingCall call;
        private final MemorySegment[] payload;
        /** If any of the answer had to be copied; else null. */
        private final Large.Block copy;
        /** Whether nothing is read from the program's memory. */
        private final boolean isCopied;
        /** The program's future: whoever waits for it makes progress. */
        private final NodeFuture<Void> sent = new NodeFuture<>(wire.node.drive());
        private final long patience;
        private final long until;
        /** How many still need the buffer of the call: the answer until its end, and its announcement. */
        private final AtomicInteger uses = new AtomicInteger(1);
        /** Null until the answer is sent. */
        private Pieces pieces;

        Waiting(IncomingCall call, MemorySegment[] payload, Large.Block copy, boolean isCopied) {
            this.call = call;
            this.payload = payload;
            this.copy = copy;
            this.isCopied = isCopied;
            this.patience = patience(call.left());
            this.until = Clock.after(patience);
        }

        /** Sends it to where the caller receives it. If it has done so since the call, it also waits for a message. */
        void send(long to) {
            if (Parts.areAlive(payload) && wire.node.isOpen() && callers.has(call.connection)) {
                service.countAnswer(call);
            }
            boolean isAwaited = call.room != null && call.room.tag() == to;
            // else the caller waits for what comes there: if that cannot come, not even empty, only a new session helps
            pieces = new Pieces(wire, payload, call.connection.peer(), to, !isAwaited,
                    isAwaited ? () -> { } : this::loseCaller);
            pieces.send().whenComplete((done, failure) -> over(NodeFuture.cause(failure), isAwaited));
        }

        private void loseCaller() {
            callers.lose(call.connection);
        }

        /** Done when nothing of it is read any more. */
        private CompletableFuture<Void> released() {
            return pieces != null ? pieces.released() : CompletableFuture.completedFuture(null);
        }

        private void over(Throwable failure, boolean isAwaited) {
            if (Pieces.isUnusable(failure)) {
                // the program freed it after answering, maybe while the answer waited for room
                complain(failure);
            }
            if (failure == null) {
                end(null);
            } else if (!isAwaited) {
                service.isUnanswered(call.connection);
                end(failure);
            } else if (!released().isDone()) {
                // it may still come, and must not meet an empty payload in its place
                service.isUnanswered(call.connection);
                end(failure);
                loseCaller();
            } else {
                // the caller waits for a message, besides the empty payload where it receives the answer
                service.ends().fail(call, failure);
                Large.release(copy, null);
                sent.hand(null, failure);
            }
        }

        /** Sent, or given up: then its memory may still be read, also that of the request, which it may be part of. */
        void end(Throwable failure) {
            service.leave(call.connection);
            if (failure == null) {
                letGo();
                sent.hand(null, null);
            } else {
                released().thenRun(() -> {
                    letGo();
                    sent.hand(null, failure);
                });
            }
        }

        private void letGo() {
            Large.release(copy, null);
            call.giveBack();
            letGoOfBuffer();
        }

        private void letGoOfBuffer() {
            if (uses.decrementAndGet() == 0) {
                call.buffer.close();
            }
        }
    }

    LongAnswers(Replies replies, Large large) {
        this.service = replies.service;
        this.callers = replies.callers;
        this.replies = replies;
        this.wire = replies.wire;
        this.large = large;
    }

    /** Logs it, as handlers seldom look at what becomes of their answers. */
    private void complain(Throwable why) {
        int times = wire.node.isOpen() ? freed.happened() : 0;
        if (times > 0) {
            LOG.warn("service {}: the memory of a long answer cannot be read, and the call fails; keep it until the "
                    + "future of Call.answer is done{}", service.number(), Seldom.since(times), why);
        }
    }

    /** Null if there is no memory, which the caller is told. Throws if the node or the answer's memory is closed. */
    private Waiting prepare(IncomingCall call, MemorySegment[] answer) {
        long length = Parts.length(answer);
        long copied = Parts.areForAnyThread(answer) ? wire.toCopy(answer) : length;
        if (copied == 0) {
            return new Waiting(call, answer, null, false);
        }
        Large.Block copy = large.take(copied);
        if (copy == null) {
            IllegalStateException none = new IllegalStateException("no memory for an answer of " + copied
                    + " bytes (ServiceOptions.withLargeBytes)");
            if (!wire.node.isOpen()) {
                throw none;
            }
            service.ends().fail(call, none);
            return null;
        }
        try {
            return new Waiting(call, Parts.copied(answer, copy.memory(copied)), copy, copied == length);
        } catch (IllegalStateException freed) {
            copy.giveBack();
            throw freed;
        }
    }

    /** Done when the memory of the answer may be used again. */
    private static CompletableFuture<Void> future(Waiting waiting) {
        return waiting == null || waiting.isCopied ? CompletableFuture.completedFuture(null) : waiting.sent;
    }

    /** Sends an answer to where the caller already receives it. Done when the memory may be used again. */
    CompletableFuture<Void> send(IncomingCall call, MemorySegment[] answer) {
        Waiting waiting = prepare(call, answer);
        if (waiting != null) {
            waiting.send(call.room.tag());
        }
        return future(waiting);
    }

    /** The same, but announces the answer, and sends it after the caller has made room. */
    CompletableFuture<Void> announce(IncomingCall call, MemorySegment[] answer) {
        long length = Parts.length(answer);
        Waiting waiting = prepare(call, answer);
        if (waiting == null) {
            return future(null);
        }
        long number = numbers.getAndIncrement();
        MemorySegment frame = call.buffer.segment();
        try {
            // before anybody knows of the answer: the node may be closed
            LongFrames.announce(frame, call.connection.number(), call.connection.callerKey(), call.id, length,
                    waiting.patience, number);
        } catch (IllegalStateException freed) {
            Large.release(waiting.copy, null);
            throw freed;
        }
        waiting.uses.incrementAndGet();
        call.connection.announced(length);
        all.put(number, waiting);
        sweep.begin();
        Resending release = replies.releasing(call, Frame.ANSWER_LARGE, length);
        replies.send(call.connection, Frame.ANSWER_LARGE, frame, Frame.HEADER, waiting::letGoOfBuffer);
        release.send();
        return future(waiting);
    }

    private Waiting take(Connection connection, MemorySegment frame) {
        long number = LongFrames.answerNumber(frame);
        Waiting waiting = all.get(number);
        return waiting != null && waiting.call.connection == connection && waiting.call.id == Frame.id(frame)
                && all.remove(number, waiting) ? waiting : null;
    }

    /** The caller has made room. */
    void go(Connection connection, MemorySegment frame) {
        long to = LongFrames.answerTag(frame);
        Waiting waiting = Wire.isPayload(to) ? take(connection, frame) : null;
        if (waiting != null) {
            waiting.send(to);
        } else if (Wire.isPayload(to)) {
            // it was given up here, and the caller does not know; nor is the caller's word taken for how long it was
            connection.unsent().begins();
            wire.tryToSayLate(Math.min(Frame.length(frame), connection.longestAnswer()), connection.peer(), to)
                    .whenComplete((sent, failure) -> connection.unsent().ends());
        }
    }

    /** The caller does not want the answer any more. */
    void drop(Connection connection, MemorySegment frame) {
        Waiting waiting = take(connection, frame);
        if (waiting != null) {
            waiting.end(failure(FabricError.ECANCELED, "the caller did not take it"));
        }
    }

    /** For a call that has so much time left; all in nanoseconds. */
    static long patience(long left) {
        return Math.clamp(left, SHORTEST_PATIENCE, LONGEST_PATIENCE);
    }

    private static FabricException failure(FabricError error, String why) {
        return FabricException.of("Call.answer", error.code(), why);
    }

    /** Ends those whose callers have waited for too long, or are gone: their places are for others. */
    boolean endLate(long now) {
        all.forEach((number, waiting) -> {
            FabricException why = service.isClosed() ? failure(FabricError.ECANCELED, "the service was closed")
                    : !callers.has(waiting.call.connection)
                            ? failure(FabricError.ECONNRESET, "the caller is gone")
                    : now - waiting.until > 0
                            ? failure(FabricError.ETIMEDOUT, "the caller did not make room for it") : null;
            if (why != null && all.remove(number, waiting)) {
                if (service.isClosed()) {
                    service.cutOff();
                } else {
                    service.isUnanswered(waiting.call.connection);
                }
                // the handler's continuations may wait for what ends by the clock
                wire.node.drive().completing().runAside(() -> waiting.end(why));
            }
        });
        return !all.isEmpty();
    }
}
