// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.PooledBuffer;
import io.jfabric.async.ServiceOptions;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.Outlet;
import io.jfabric.internal.call.wire.Resending;
import io.jfabric.internal.call.wire.Welcome;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a service gets from callers and sends to them. Nothing is believed that was not checked. */
final class ServiceLink implements Hub.Receiver {
    /** Within what time a request must be there that was announced: as its node may be sent to, but within these. */
    private static final Duration SHORTEST_PATIENCE = Duration.ofSeconds(30);
    private static final Duration LONGEST_PATIENCE = Duration.ofHours(1);
    /** After so long without a call a caller may lose its place to another. */
    private static final Duration IDLE = Duration.ofMinutes(1);
    /** How many answers to hellos may be under way. */
    private static final int MOST_WELCOMES = 4096;

    private static final Resending NOTHING = new Resending() {
        @Override
        protected CompletableFuture<Void> sendOnce() {
            return null;
        }

        @Override
        protected void over(Throwable failure) {
            // there is nothing to be sent
        }
    };

    private final ServiceImpl service;
    private final ServiceOptions options;
    private final NodeImpl node;
    private final long tag;
    private final Large large;
    private final Callers callers;
    /** In nanoseconds, for long requests: also a caller that is gone takes a place and memory for that long. */
    private final long patience;
    private final AtomicInteger welcomes = new AtomicInteger();
    private final DeafCallers deaf;
    private final LongAdder invalid = new LongAdder();
    /** Long requests that are to come. */
    private final Set<Wire.Incoming> incoming = ConcurrentHashMap.newKeySet();
    /** When they were told goodbye; of who closes it. */
    private boolean hadCallers;
    private Hub hub;
    /** Set last: who sees it sees the hub, too. */
    private volatile LongAnswers longAnswers;

    ServiceLink(ServiceImpl service, NodeImpl node) {
        this.service = service;
        this.options = service.options();
        this.node = node;
        this.tag = Wire.requests(service.number());
        this.patience = Math.clamp(Clock.nanos(node.options().deadline()), SHORTEST_PATIENCE.toNanos(),
                LONGEST_PATIENCE.toNanos());
        this.deaf = new DeafCallers(this, service.number());
        this.large = new Large(node.domain(), options.largeBytes());
        this.callers = new Callers(options.callers(), options.limit(), IDLE, () -> hub.backlog,
                greeting -> new Outlet(hub, greeting.peer(), greeting.tag(), false));
    }

    Callers callers() {
        return callers;
    }

    Large large() {
        return large;
    }

    /** For the executor of the service, which may be the node's. */
    Runnable task(Runnable handling) {
        return node.drive().completing().task(options.executor(), handling);
    }

    long invalid() {
        return invalid.sum();
    }

    void open() {
        // messages may come before join returns
        synchronized (this) {
            hub = Hub.join(node, tag, this);
            longAnswers = new LongAnswers(service, this, hub.wire);
        }
    }

    private synchronized void awaitOpen() {
        if (hub == null) {
            throw new IllegalStateException("the service is not open");
        }
    }

    @Override
    public void foreign() {
        invalid.increment();
    }

    @Override
    public void ended() {
        service.ended();
    }

    @Override
    public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
        if (longAnswers == null) {
            awaitOpen();
        }
        int type = Frame.type(frame);
        if (type == Frame.CONNECT) {
            greet(frame, length);
            return null;
        }
        if (type == Frame.BYE) {
            Connection has = callers.find(Frame.connection(frame), Frame.key(frame));
            if (has != null) {
                lost(has);
            }
            // whichever hello was heard: also of a caller that has not heard of its place
            callers.goodbye(Frame.more(frame), Frame.id(frame));
            return null;
        }
        if (callers.takesTurnToLook()) {
            callers.each(deaf::endIfDeaf);
        }
        Connection connection = callers.find(Frame.connection(frame), Frame.key(frame));
        if (connection != null && deaf.endIfDeaf(connection)) {
            connection = null;
        }
        if (connection != null) {
            switch (type) {
                case Frame.CALL -> {
                    if (Frame.isWhole(frame, length)) {
                        call(buffer, connection, frame, Frame.HEADER, null);
                        return Hub.Ending.LATER;
                    }
                }
                case Frame.CALL_WITH_ROOM -> {
                    if (Frame.isWhole(frame, length - AnswerRoom.BYTES)) {
                        call(buffer, connection, frame, Frame.HEADER + AnswerRoom.BYTES, AnswerRoom.read(frame));
                        return Hub.Ending.LATER;
                    }
                }
                case Frame.CALL_LARGE -> {
                    longCall(buffer, connection, frame, length < Frame.HEADER + AnswerRoom.BYTES ? null
                            : AnswerRoom.read(frame));
                    return Hub.Ending.LATER;
                }
                case Frame.GO -> {
                    longAnswers.go(connection, frame);
                    return null;
                }
                case Frame.ANSWER_DROPPED -> {
                    longAnswers.drop(connection, frame);
                    return null;
                }
                default -> { }
            }
        }
        // or of a caller that knew the service before it was opened anew: it will say hello again
        invalid.increment();
        hub.dropped(frame);
        return null;
    }

    private void greet(MemorySegment frame, long length) {
        Greeting greeting = Greeting.read(node, hub.inline, frame, length);
        if (greeting == null) {
            invalid.increment();
            return;
        }
        if (callers.isOld(greeting)) {
            return;
        }
        Connection made = callers.add(greeting);
        if (made != null && deaf.endIfDeaf(made)) {
            return;
        }
        PooledBuffer buffer = made == null && service.isClosed() ? null : hub.take();
        if (buffer == null) {
            // it will say hello again, maybe to who is opened next
            return;
        }
        if (made == null) {
            hub.refuse(greeting, buffer, "the service has its " + options.callers()
                    + " callers (ServiceOptions.withCallers)");
            return;
        }
        if (welcomes.incrementAndGet() > MOST_WELCOMES) {
            // nor does that keep a buffer for each hello of who does not read
            welcomed(buffer);
            return;
        }
        MemorySegment out = buffer.segment();
        new Welcome(greeting.hello(), made.callerKey(), made.number(), made.key(), made.inlineBytes(),
                callers.granted(greeting), options.largestRequest()).write(out);
        new Reply(made, out, Welcome.LENGTH, () -> welcomed(buffer), null, Frame.ACCEPT).send();
        if (service.isClosed()) {
            // the goodbye may have gone before
            sayGoodbye(made, Frame.ANSWER_BYE);
        }
    }

    private void welcomed(PooledBuffer buffer) {
        welcomes.decrementAndGet();
        buffer.close();
    }

    private void call(PooledBuffer buffer, Connection connection, MemorySegment frame, long start, AnswerRoom room) {
        long id = Frame.id(frame);
        boolean fits = Frame.length(frame) <= options.largestRequest();
        if (!fits || !service.enter(connection)) {
            refuse(buffer, connection, id, fits ? Frame.BUSY : Frame.TOO_LONG, room);
            return;
        }
        service.dispatch(new IncomingCall(service, connection, id, Frame.time(frame), buffer, null, room,
                frame.asSlice(start, Frame.length(frame))));
    }

    /** Answers out of the buffer of the request. */
    private void refuse(PooledBuffer buffer, Connection connection, long id, int type, AnswerRoom room) {
        service.countRefusal();
        reply(connection, buffer.segment(), type, id, 0, why(type), 0, buffer::close);
        if (room != null) {
            new NoAnswer(connection, room, false).send();
        }
    }

    /** What a caller that is told to try again later may know. */
    private long why(int type) {
        return type == Frame.BUSY && service.isDraining() ? Frame.CLOSING : 0;
    }

    private void longCall(PooledBuffer buffer, Connection connection, MemorySegment frame, AnswerRoom room) {
        long id = Frame.id(frame);
        long size = Frame.length(frame);
        long payload = Frame.more(frame);
        boolean follows = size <= Wire.EAGER && Wire.isEager(payload, service.number(), connection.number());
        boolean fits = size <= options.largestRequest();
        boolean enters = fits && service.enter(connection);
        Large.Block block = enters ? large.take(size) : null;
        PooledBuffer control = block == null || follows ? null : hub.take();
        if (block != null && (follows || control != null)) {
            receiveRequest(connection, buffer, control, frame, block, room);
            return;
        }
        if (block != null) {
            block.giveBack();
        }
        if (enters) {
            service.leave(connection);
        }
        if (follows) {
            hub.dropped(frame);
        }
        refuse(buffer, connection, id, fits ? Frame.BUSY : Frame.TOO_LONG, room);
    }

    /** Says where to send it, unless it follows at once: then there is no buffer to say so. */
    private void receiveRequest(Connection connection, PooledBuffer buffer, PooledBuffer control, MemorySegment frame,
            Large.Block block, AnswerRoom room) {
        long id = Frame.id(frame);
        long size = Frame.length(frame);
        long time = Frame.time(frame);
        MemorySegment request = block.memory(size);
        long start = System.nanoTime();
        Duration deadline = Duration.ofNanos(Math.clamp(time, 1, patience));
        Wire.Incoming one;
        try {
            one = control != null ? hub.wire.receivePayload(request, deadline)
                    : hub.wire.receivePayload(request, Frame.more(frame), deadline);
        } catch (RuntimeException | Error cannot) {
            // some pieces may be under way
            block.discard();
            service.leave(connection);
            if (control != null) {
                control.close();
            } else {
                hub.dropped(frame);
            }
            refuse(buffer, connection, id, Frame.BUSY, room);
            throw cannot;
        }
        incoming.add(one);
        one.received().whenComplete((received, failure) -> {
            incoming.remove(one);
            long left = time == Frame.NO_DEADLINE ? time : time - (System.nanoTime() - start);
            IncomingCall call = new IncomingCall(service, connection, id, left, buffer, failure == null ? block : null,
                    room, request);
            if (failure == null && received == size) {
                service.dispatch(call);
            } else {
                // given up by the caller, or it is gone
                service.giveUp(call);
            }
            if (failure != null) {
                block.discard();
                // it may come nevertheless
                one.released().thenRun(() -> hub.discards.add(size, one.tags()));
            }
        });
        if (service.isClosed()) {
            // who closes it may have looked before
            one.cancel();
        }
        if (control != null) {
            reply(connection, control.segment(), Frame.GO, id, size, one.tag(), 0, control::close);
        }
    }

    /** To be sent after the answer, unless it goes where the caller receives it: no more comes to there. */
    Resending releasing(IncomingCall call) {
        if (call.room == null) {
            return NOTHING;
        }
        call.connection.callBegins();
        return new NoAnswer(call.connection, call.room, true);
    }

    /** A payload of nothing. */
    private final class NoAnswer extends Resending {
        private final Connection connection;
        private final AnswerRoom room;
        private final boolean isWaitedFor;

        NoAnswer(Connection connection, AnswerRoom room, boolean isWaitedFor) {
            this.connection = connection;
            this.room = room;
            this.isWaitedFor = isWaitedFor;
        }

        @Override
        protected CompletableFuture<Void> sendOnce() {
            return hub.wire.sendNoPayload(0, connection.peer(), room.tag());
        }

        @Override
        protected void over(Throwable failure) {
            if (failure != null) {
                lost(connection);
            }
            if (isWaitedFor) {
                service.told(connection);
            }
        }
    }

    CompletableFuture<Void> answerNow(IncomingCall call, MemorySegment answer) {
        return longAnswers.send(call, answer);
    }

    CompletableFuture<Void> answerLater(IncomingCall call, MemorySegment answer) {
        return longAnswers.announce(call, answer);
    }

    /** Sends a header, and what follows it in the frame. Afterwards runs something: maybe at once. */
    void reply(Connection connection, MemorySegment frame, int type, long id, long length, long more, long payload,
            Runnable then) {
        Frame.write(frame, type, connection.number(), connection.callerKey(), id, length, 0, more);
        new Reply(connection, frame, Frame.HEADER + payload, then, null, type).send();
    }

    /** Sends what ends a call, which is in its buffer. */
    void answer(IncomingCall call, int type, long length) {
        MemorySegment frame = call.buffer.segment();
        Frame.write(frame, type, call.connection.number(), call.connection.callerKey(), call.id, length, 0, why(type));
        new Reply(call.connection, frame, Frame.HEADER + length, call.buffer::close, call, type).send();
    }

    /** A reply that does not get to the caller would leave it waiting: then there is no session. */
    private final class Reply extends Resending implements Runnable {
        private final Connection connection;
        private final MemorySegment frame;
        private final long length;
        private final Runnable then;
        /** What ends with it; null if none does. */
        private final IncomingCall call;
        private final int type;
        /** The last one; null if it could not even be begun. */
        private CompletableFuture<Void> sent;

        Reply(Connection connection, MemorySegment frame, long length, Runnable then, IncomingCall call,
                int type) {
            this.connection = connection;
            this.frame = frame;
            this.length = length;
            this.then = then;
            this.call = call;
            this.type = type;
            connection.unsent().begins();
        }

        @Override
        protected CompletableFuture<Void> sendOnce() {
            sent = null;
            if (type != Frame.BYE && !callers.has(connection)) {
                // it has said goodbye, or is not there any more: maybe since it was tried last
                return null;
            }
            if ((type == Frame.ANSWER || type == Frame.FAILURE) && node.isOpen()) {
                // before the caller has it
                service.countAnswer(call);
            }
            sent = connection.outlet().send(frame, length, connection.inlineBytes());
            return sent;
        }

        @Override
        protected void over(Throwable failure) {
            node.whenReleased(sent, sent == null ? null : failure, this);
            if (failure != null) {
                lost(connection);
            }
            if (call != null) {
                service.told(connection);
            }
        }

        /** Its memory may be used again. */
        @Override
        public void run() {
            connection.unsent().ends();
            then.run();
        }
    }

    /** The caller waits for what it will not get. It will say hello again, and hear that this is a new session. */
    void lost(Connection connection) {
        if (callers.remove(connection)) {
            connection.outlet().drop();
        }
    }

    private void sayGoodbye(Connection connection, long more) {
        PooledBuffer buffer = hub.take();
        if (buffer != null) {
            Frame.write(buffer.segment(), Frame.BYE, connection.number(), connection.callerKey(), connection.key(), 0,
                    0, more);
            new Reply(connection, buffer.segment(), Frame.HEADER, buffer::close, null, Frame.BYE).send();
        }
    }

    /**
     * Says goodbye to all.
     *
     * @param isAnswered whether they are to do the same: who does has all that was sent before
     * @return when nobody is there any more
     */
    CompletableFuture<Void> sayGoodbye(boolean isAnswered) {
        NodeFuture<Void> allGone = new NodeFuture<>(node.drive());
        hadCallers = callers.count() > 0;
        callers.close(() -> allGone.complete(null));
        if (node.isOpen()) {
            callers.each(connection -> sayGoodbye(connection, isAnswered ? Frame.ANSWER_BYE : 0));
            // nobody may poll any more
            node.drive().sendAllGathered();
        }
        return allGone;
    }

    /** After the goodbye. */
    void close() {
        node.cancelAll(incoming.stream().flatMap(one -> one.pieces().stream()).toList());
        callers.each(callers::remove);
        // they may have sent more before they heard of it
        hub.leave(tag, this, hadCallers);
        large.close();
    }
}
