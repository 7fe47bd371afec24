// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.CallHandler;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.ServiceNumber;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.VirtualThreads;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.Leaks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** {@link Service}: which calls it has, how they are counted, and how it ends. */
public final class ServiceImpl implements Service {
    /** How long to wait for callers that do not answer the goodbye. */
    private static final long FAREWELL = TimeUnit.SECONDS.toNanos(1);
    private static final Log LOG = Log.of(Service.class);

    private final Place place;
    private final ServiceOptions options;
    final ServiceLink link;
    private final IncomingEnds ends;
    private final Handling handling;
    private final Drain drain;
    private final AtomicInteger underWay = new AtomicInteger();
    private final LongAdder answered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder late = new LongAdder();
    /** Tells the callers, which would otherwise wait until their deadlines. */
    private final Supplier<CompletableFuture<Void>> farewell = this::sayFarewell;
    private volatile boolean closed;
    /** Null until the service is open. */
    private volatile Leaks.Tracker tracker;

    /** A node has at most one service of a number. */
    private record Place(Node node, int number) {
    }

    private ServiceImpl(Place place, CallHandler handler, ServiceOptions options) {
        this.place = place;
        this.options = options;
        NodeImpl node = (NodeImpl) place.node;
        this.link = new ServiceLink(this, node);
        this.ends = new IncomingEnds(this, link);
        this.handling = new Handling(this, handler, node.drive().completing(), ends);
        this.drain = new Drain(this::isIdle, node.drive());
    }

    public static ServiceImpl open(Node node, int number, CallHandler handler, ServiceOptions options) {
        Arguments.given(node, "Service.open", "the node");
        Arguments.given(handler, "Service.open", "the handler");
        Arguments.given(options, "Service.open", "the options");
        ServiceNumber.checked("Service.open: number", number);
        ((NodeImpl) node).requireTagged("Service.open");
        if (options.executor() == ServiceOptions.VIRTUAL) {
            VirtualThreads.require("Service.open");
        }
        Place place = new Place(node, number);
        ServiceImpl service = new ServiceImpl(place, handler, options);
        service.link.open();
        ((NodeImpl) place.node).farewell(service.farewell);
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

    /** How long a request may be. One that comes along with its call takes none of the memory for longer ones. */
    long largestRequest(Connection connection) {
        return Math.min(options.largestRequest(), Math.max(options.largeBytes(), connection.inlineBytes()));
    }

    IncomingEnds ends() {
        return ends;
    }

    Handling handling() {
        return handling;
    }

    /** Takes a place for one more call; false if there is none, or the service is to be closed. */
    boolean enter(Connection connection) {
        // first: whoever drains looks at this number after saying so
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
        freePlace();
        told(connection);
    }

    /** A call makes room for others; {@link #told} follows when what is to be sent for it has gone. */
    void freePlace() {
        underWay.decrementAndGet();
    }

    /** What was to be sent for a call that has already made room for others has gone, or cannot go. */
    void told(Connection connection) {
        connection.callEnds();
        drain.look();
    }

    /** Whether no handler has a call, and nothing is still to be sent to a caller that is there. */
    private boolean isIdle() {
        return underWay.get() == 0 && !link.callers().haveCalls();
    }

    /** Whether calls are refused because the service is to be closed. */
    boolean isDraining() {
        return drain.hasBegun();
    }

    /** An answer or failure is handed to the network, maybe not for the first time. */
    void countAnswer(IncomingCall call) {
        if (call.counts()) {
            answered.increment();
        }
    }

    void countRefusal() {
        refused.increment();
    }

    void countLate() {
        late.increment();
    }

    /** To be called before something ends because the service is closed. */
    void cutOff() {
        drain.cut();
    }

    /**
     * An answer to the caller cannot be sent, or the caller loses its session. That does not count if the caller has
     * said goodbye, or its peer has ended: nobody can want the answer then, and what fails for that reason fails before
     * its place is free. To be called before the call ends.
     */
    void isUnanswered(Connection connection) {
        if (drain.hasBegun() && link.callers().has(connection) && connection.peer().isOpen()) {
            drain.cut();
        }
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
            closed(drain.cutsOff());
        }
    }

    /**
     * The node is about to be closed. The rest of the service ends with it, as that runs the program's continuations.
     * The future is done when callers whose calls are cut off have heard of it, or when another thread has closed the
     * service.
     */
    private CompletableFuture<Void> sayFarewell() {
        if (!closes()) {
            return drain.whenClosed();
        }
        CompletableFuture<Void> heard = sayGoodbye();
        closed(drain.cutsOff());
        return heard;
    }

    /** Says goodbye to all. The future is done when callers whose calls are cut off have heard of it. */
    private CompletableFuture<Void> sayGoodbye() {
        drain.begin();
        boolean cutsOff = drain.cutsOff();
        CompletableFuture<Void> allGone = link.sayGoodbye(cutsOff);
        return cutsOff ? allGone : CompletableFuture.completedFuture(null);
    }

    /** Whether it is for this thread to close it. */
    private synchronized boolean closes() {
        boolean first = !closed;
        closed = true;
        if (first && tracker != null) {
            tracker.closed();
        }
        return first;
    }

    /** Closing is complete. */
    private void closed(boolean cutsOff) {
        drain.closed(!cutsOff);
        ((NodeImpl) place.node).noFarewell(farewell);
    }

    @Override
    public void close() {
        if (closes()) {
            // the node may be closed next, and some providers then lose what was not read yet
            Drain.await(sayGoodbye(), Clock.after(NodeImpl.FAREWELL.toNanos()));
            link.close();
            closed(drain.cutsOff());
        }
    }

    @Override
    public boolean drain(Duration timeout) {
        Arguments.notNegative(timeout, "Service.drain", "the timeout");
        handling.refuseToWaitForItself();
        long end = Clock.after(timeout);
        drain.begin();
        drain.await(end);
        if (!closes()) {
            return drain.awaitClosed(end);
        }
        boolean cutsOff = drain.cutsOff();
        int left = underWay.get();
        // a caller that answers the goodbye has all that was sent before; one that does not may be dead
        Drain.await(link.sayGoodbye(true), Math.min(end, Clock.after(FAREWELL)));
        link.close();
        closed(cutsOff);
        if (cutsOff) {
            LOG.warn("{}: calls are cut off, {} of them not answered yet, or their answers could not be sent; their "
                    + "callers get FI_ECONNRESET, as a rule", this, left);
        }
        return !cutsOff;
    }

    @Override
    public String toString() {
        return "service " + place.number + " of " + place.node + (closed ? " (closed)" : "");
    }
}
