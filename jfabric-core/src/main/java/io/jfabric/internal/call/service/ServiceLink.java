// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.PooledBuffer;
import io.jfabric.async.ServiceOptions;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.CallFrames;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Outlet;
import io.jfabric.internal.call.wire.Resending;
import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** What a service gets from callers: sorts the messages by type and caller. Nothing is believed unchecked. */
final class ServiceLink implements Hub.Receiver {
    /** After so long without a call a caller may lose its place to another. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final ServiceImpl service;
    private final ServiceOptions options;
    private final NodeImpl node;
    private final long tag;
    private final Large large;
    private final Callers callers;
    private final DeafCallers deaf;
    private final LongAdder invalid = new LongAdder();
    private Hub hub;
    private Replies replies;
    private Reception reception;
    private LongRequests longRequests;
    /** Set last: whoever sees it sees the other fields, too. */
    volatile LongAnswers longAnswers;

    ServiceLink(ServiceImpl service, NodeImpl node) {
        this.service = service;
        this.options = service.options();
        this.node = node;
        this.tag = Wire.requests(service.number());
        this.large = new Large(node.domain(), options.largeBytes());
        this.callers = new Callers(options.callers(), options.limit(), IDLE, () -> hub.backlog,
                greeting -> new Outlet(hub, greeting.peer(), greeting.tag(), false),
                service::isUnanswered, over -> longRequests.cancel(over));
        this.deaf = new DeafCallers(callers, service.number());
    }

    Callers callers() {
        return callers;
    }

    long invalid() {
        return invalid.sum();
    }

    void open() {
        // messages may come before join returns
        synchronized (this) {
            hub = Hub.join(node, tag, this);
            replies = new Replies(service, callers, hub.wire);
            reception = new Reception(replies, deaf, hub);
            longRequests = new LongRequests(replies, hub, large);
            longAnswers = new LongAnswers(replies, large);
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
            if (!reception.greet(frame, length)) {
                invalid.increment();
            }
            return null;
        }
        if (type == Frame.BYE) {
            reception.leave(frame);
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
                case Frame.CALL, Frame.CALL_WITH_ROOM -> {
                    if (CallFrames.isWhole(frame, length)) {
                        call(buffer, connection, frame);
                        return Hub.Ending.LATER;
                    }
                }
                case Frame.CALL_LARGE -> {
                    longRequests.begin(buffer, connection, frame, LongFrames.room(frame, length));
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
                case Frame.REQUEST_DROPPED -> {
                    longRequests.drop(connection, frame);
                    return null;
                }
                default -> { }
            }
        }
        // or a caller knew the service before it was opened anew: it will say hello again
        invalid.increment();
        hub.dropped(frame);
        return null;
    }

    private void call(PooledBuffer buffer, Connection connection, MemorySegment frame) {
        long id = Frame.id(frame);
        AnswerRoom room = CallFrames.room(frame);
        boolean fits = Frame.length(frame) <= options.largestRequest();
        if (!fits || !service.enter(connection)) {
            replies.refuse(buffer, connection, id, fits ? Frame.BUSY : Frame.TOO_LONG, room);
            return;
        }
        service.handling().dispatch(new IncomingCall(service, connection, id, Frame.time(frame), buffer, null, room,
                CallFrames.request(frame)));
    }

    CompletableFuture<Void> answerNow(IncomingCall call, MemorySegment[] answer) {
        return longAnswers.send(call, answer);
    }

    CompletableFuture<Void> answerLater(IncomingCall call, MemorySegment[] answer) {
        return longAnswers.announce(call, answer);
    }

    /** Sends what ends a call, which is in the buffer of the call. */
    void answer(IncomingCall call, int type, long length) {
        replies.answer(call, type, length);
    }

    /** To be sent after {@link #answer}. */
    Resending releasing(IncomingCall call, int type, long length) {
        return replies.releasing(call, type, length);
    }

    /** {@link Reception#sayGoodbye}. */
    CompletableFuture<Void> sayGoodbye(boolean isAnswered) {
        return reception.sayGoodbye(isAnswered);
    }

    /** After the goodbye. */
    void close() {
        longRequests.cancel();
        callers.each(callers::remove);
        // callers may have sent more before they heard of it
        hub.leave(tag, this, reception.hadCallers());
        large.close();
    }
}
