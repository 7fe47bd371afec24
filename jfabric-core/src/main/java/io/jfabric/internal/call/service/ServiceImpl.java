// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.CallHandler;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Resending;
import io.jfabric.internal.call.wire.ServiceNumber;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.life.Leaks;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Service}: which call goes to the handler, and what becomes of it. What travels is {@link ServiceLink}'s. */
public final class ServiceImpl implements Service {
    /** Of what a call fails with, in bytes. */
    private static final int LONGEST_TEXT = 4000;
    /** How long callers are waited for that do not answer the goodbye. */
    private static final long FAREWELL = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);
    private static final ScopedValue<Handling> HANDLING = ScopedValue.newInstance();

    private final Place place;
    private final CallHandler handler;
    private final ServiceOptions options;
    private final boolean direct;
    private final ServiceLink link;
    private final Drain drain;
    private final AtomicInteger underWay = new AtomicInteger();
    private final Seldom failures = new Seldom();
    private final LongAdder answered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder late = new LongAdder();
    private volatile boolean closed;
    /** Null until it is open. */
    private volatile Leaks.Tracker tracker;

    /** Which calls this thread handles, the innermost first: to wait for one of them would be in vain. */
    private record Handling(IncomingCall call, Handling outer) {
    }

    /** There is one service of a number on a node. */
    private record Place(Node node, int number) {
    }

    private ServiceImpl(Place place, CallHandler handler, ServiceOptions options) {
        this.place = place;
        this.handler = handler;
        this.options = options;
        this.direct = options.executor() == NodeOptions.DIRECT;
        NodeImpl node = (NodeImpl) place.node;
        this.link = new ServiceLink(this, node);
        this.drain = new Drain(this::isIdle, node.drive());
    }

    public static ServiceImpl open(Node node, int number, CallHandler handler, ServiceOptions options) {
        Arguments.given(node, "Service.open", "the node");
        Arguments.given(handler, "Service.open", "the handler");
        Arguments.given(options, "Service.open", "the options");
        ServiceNumber.checked("Service.open: number", number);
        ((NodeImpl) node).requireTagged("Service.open");
        Place place = new Place(node, number);
        ServiceImpl service = new ServiceImpl(place, handler, options);
        service.link.open();
        service.isOpened();
        return service;
    }

    private void isOpened() {
        tracker = Leaks.track(this, "Service", Leaks.Often.SELDOM, ((NodeImpl) place.node).tracker());
        if (closed) {
            tracker.closed();
        }
    }

    ServiceOptions options() {
        return options;
    }

    /** Room for one more call; false if there is none, or it is to be closed. */
    boolean enter(Connection connection) {
        // first: who drains looks at the number after it has said so
        if (underWay.incrementAndGet() <= options.limit() && !drain.hasBegun()) {
            connection.callBegins();
            return true;
        }
        underWay.decrementAndGet();
        drain.look();
        return false;
    }

    /** A call is over, and nothing more is to be sent for it. */
    void leave(Connection connection) {
        underWay.decrementAndGet();
        told(connection);
    }

    /** What was to be sent for a call that makes room for others already has gone, or cannot. */
    void told(Connection connection) {
        connection.callEnds();
        drain.look();
    }

    /** Whether no handler has a call, and nothing is still to be sent to a caller that is there. */
    private boolean isIdle() {
        return underWay.get() == 0 && !link.callers().haveCalls();
    }

    /** Whether calls are refused as it is to be closed. */
    boolean isDraining() {
        return drain.hasBegun();
    }

    /** An answer or failure is given to the network; again if that has no place for it. */
    void countAnswer(IncomingCall call) {
        if (call.counts()) {
            answered.increment();
        }
    }

    void countRefusal() {
        refused.increment();
    }

    /** Hands a call to the handler. */
    void dispatch(IncomingCall call) {
        if (direct && call.block == null) {
            // it came just now
            handle(call);
            return;
        }
        if (direct) {
            handleInTime(call);
            return;
        }
        try {
            options.executor().execute(link.task(() -> handleInTime(call)));
        } catch (RuntimeException | Error e) {
            // rejected, or there is no thread for it
            if (call.claim()) {
                refused.increment();
                finish(call, Frame.BUSY, 0);
            }
        }
    }

    private void handleInTime(IncomingCall call) {
        if (call.isLate() && !closed) {
            giveUp(call);
        } else {
            handle(call);
        }
    }

    private void handle(IncomingCall call) {
        if (closed) {
            drop(call);
            return;
        }
        try {
            Handling inside = new Handling(call, HANDLING.isBound() ? HANDLING.get() : null);
            ScopedValue.where(HANDLING, inside).call(() -> {
                handler.handle(call);
                return null;
            });
        } catch (Throwable e) {
            if (call.claim()) {
                fail(call, e);
            } else {
                complain(e);
            }
            if (e instanceof Error) {
                // this thread is the node's, maybe, and others' calls are not to end with it
                LOG.error("the handler of service {} failed", place.number, e);
            }
        }
    }

    private void complain(Throwable failure) {
        int times = failures.happened();
        if (times > 0) {
            LOG.warn("the handler of service {} failed after it had answered{}", place.number, Seldom.since(times),
                    failure);
        }
    }

    /** The call was claimed. */
    CompletableFuture<Void> answer(IncomingCall call, MemorySegment answer) {
        MemorySegment frame = call.buffer.segment();
        long length = answer.byteSize();
        if (call.room != null && length > 0 && length <= call.room.size()) {
            return link.answerNow(call, answer);
        }
        if (length <= call.connection.inlineBytes()) {
            try {
                MemorySegment.copy(answer, 0, frame, Frame.HEADER, length);
            } catch (IllegalStateException freed) {
                if (frame.scope().isAlive()) {
                    // it was the answer
                    fail(call, freed);
                    throw freed;
                }
                end(call);
                return CompletableFuture.failedFuture(new IllegalStateException("Call.answer: the node is closed",
                        freed));
            }
            finish(call, Frame.ANSWER, length);
            return CompletableFuture.completedFuture(null);
        }
        return link.answerLater(call, answer);
    }

    /** Throws unless it was the node that was closed while the handler ran: then there is nobody to answer. */
    private static void nobodyWaits(MemorySegment frame, IllegalStateException freed) {
        if (frame.scope().isAlive()) {
            throw freed;
        }
    }

    /** The call was claimed. */
    void fail(IncomingCall call, Throwable why) {
        // the caller may have less room than we
        MemorySegment frame = call.buffer.segment().asSlice(0, Frame.HEADER + Math.min(LONGEST_TEXT,
                call.connection.inlineBytes()));
        int length;
        try {
            length = Frame.text(frame, text(NodeFuture.cause(why)));
        } catch (IllegalStateException freed) {
            nobodyWaits(frame, freed);
            end(call);
            return;
        }
        finish(call, Frame.FAILURE, length);
    }

    /** A program's exception may fail to say what it is. */
    private static String text(Throwable why) {
        String text;
        try {
            text = why.toString();
        } catch (RuntimeException | Error e) {
            text = null;
        }
        return text != null ? text : why.getClass().getName();
    }

    /** Before the end of what ends as the service is closed. */
    void cutOff() {
        drain.cut();
    }

    /** It came before the service was closed, and nobody handles it any more: the goodbye says so, or has. */
    private void drop(IncomingCall call) {
        if (call.claim()) {
            cutOff();
            Resending release = link.releasing(call);
            end(call);
            call.buffer.close();
            release.send();
        }
    }

    /** The request did not come. */
    void giveUp(IncomingCall call) {
        if (closed) {
            drop(call);
        } else if (call.claim()) {
            late.increment();
            finish(call, Frame.LATE, 0);
        }
    }

    private void end(IncomingCall call) {
        leave(call.connection);
        giveBack(call);
    }

    private static void giveBack(IncomingCall call) {
        if (call.block != null) {
            call.block.giveBack();
        }
    }

    /** Sends what is in the call's buffer, after which that is free. */
    private void finish(IncomingCall call, int type, long length) {
        // its place is free before the caller, who may call again at once, knows
        underWay.decrementAndGet();
        giveBack(call);
        Resending release = link.releasing(call);
        try {
            link.answer(call, type, length);
        } catch (IllegalStateException freed) {
            told(call.connection);
            nobodyWaits(call.buffer.segment(), freed);
        }
        release.send();
    }

    int number() {
        return place.number;
    }

    @Override
    public Node node() {
        return place.node;
    }

    @Override
    public int underWay() {
        return underWay.get();
    }

    @Override
    public int callers() {
        return link.callers().count();
    }

    @Override
    public long answered() {
        return answered.sum();
    }

    @Override
    public long refused() {
        return refused.sum();
    }

    @Override
    public long late() {
        return late.sum();
    }

    @Override
    public long invalid() {
        return link.invalid();
    }

    @Override
    public boolean isOpen() {
        return !closed && !drain.hasBegun() && place.node.isOpen();
    }

    boolean isClosed() {
        return closed;
    }

    /** The node was closed. */
    void ended() {
        if (closes()) {
            drain.closed(!drain.cutsOff());
        }
    }

    /** Whether it is this thread that closes it. */
    private synchronized boolean closes() {
        boolean first = !closed;
        closed = true;
        if (first && tracker != null) {
            tracker.closed();
        }
        return first;
    }

    @Override
    public void close() {
        if (closes()) {
            drain.begin();
            boolean cutsOff = drain.cutsOff();
            link.sayGoodbye(false);
            link.close();
            drain.closed(!cutsOff);
        }
    }

    @Override
    public boolean drain(Duration timeout) {
        Arguments.notNegative(timeout, "Service.drain", "the timeout");
        refuseToWaitForItself();
        long end = Clock.after(timeout);
        drain.begin();
        drain.await(end);
        if (!closes()) {
            return drain.awaitClosed(end);
        }
        boolean cutsOff = drain.cutsOff();
        int left = underWay.get();
        // who answers the goodbye has all that was sent before; who does not is maybe dead
        Drain.await(link.sayGoodbye(true), Math.min(end, Clock.after(FAREWELL)));
        link.close();
        drain.closed(!cutsOff);
        if (cutsOff) {
            LOG.warn("{}: calls were under way and are cut off, {} of them not answered yet; their callers get "
                    + "FI_ECONNRESET", this, left);
        }
        return !cutsOff;
    }

    private void refuseToWaitForItself() {
        for (Handling one = HANDLING.isBound() ? HANDLING.get() : null; one != null; one = one.outer) {
            if (one.call.isOpenAt(this)) {
                throw new IllegalStateException("Service.drain: the handler that drains it would wait for its own "
                        + "call: answer that first, or drain it in another thread");
            }
        }
    }

    @Override
    public String toString() {
        return "service " + place.number + " of " + place.node + (closed ? " (closed)" : "");
    }
}
