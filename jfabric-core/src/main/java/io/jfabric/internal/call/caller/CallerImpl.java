// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.OverloadException;
import io.jfabric.async.Peer;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.ServiceNumber;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.life.Leaks;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@link Caller}: which call goes when. What travels is {@link CallerLink}'s. */
public final class CallerImpl extends CountedCaller {
    private static final long PERIOD = 10;
    /** So long after its deadline a call that was not answered still has its place; the answer is lost, or the peer. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(5);

    private final PeerImpl peer;
    private final int service;
    private final CallerOptions options;
    private final Window window;
    private final CallerLink link;
    private final Queue<Outgoing<?>> queue = new ConcurrentLinkedQueue<>();
    /**
     * Their deadline was over when it was their turn. The clock ends them: here, in the middle of a call, what the
     * program has appended could call again, which would find the next of them, and so on until the stack is full.
     */
    private final Queue<Outgoing<?>> late = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Sweep sweep = new Sweep(PERIOD, this::tick);
    private final OverloadException full;
    private final OverloadException nodeIsFull;
    private final OverloadException busy;
    private final OverloadException closing;
    private final Consumer<FabricException> peerEnded = why ->
            ended(why != null ? why : failure(FabricError.ECANCELED, "the peer was closed"));
    /** What new calls fail with; null while it is open. */
    private volatile FabricException closed;
    /** Null until it is open. */
    private volatile Leaks.Tracker tracker;
    private int ticks;

    private CallerImpl(PeerImpl peer, int service, CallerOptions options, Outcomes outcomes) {
        super(outcomes);
        this.peer = peer;
        this.service = service;
        this.options = options;
        this.window = new Window(options.window());
        this.full = new OverloadException(what(), FabricError.EAGAIN, "the backlog is full: " + options.backlog()
                + " calls wait (CallerOptions.withBacklog); wait for some of them first");
        this.nodeIsFull = new OverloadException(what(), FabricError.EAGAIN, "the node's backlog is full "
                + "(NodeOptions.withBacklog); wait for some of its operations first");
        this.busy = new OverloadException(what(), FabricError.EBUSY, "the service is overloaded; call again later");
        this.closing = new OverloadException(what(), FabricError.EBUSY, "the service is about to be closed, and has "
                + "not begun the call; call another, or again when it is back");
        this.link = new CallerLink(this, window);
    }

    public static CallerImpl open(Peer peer, int service, CallerOptions options) {
        return open(peer, service, options, new Outcomes());
    }

    static CallerImpl open(Peer peer, int service, CallerOptions options, Outcomes outcomes) {
        PeerImpl known = (PeerImpl) Arguments.given(peer, "Caller.open", "the peer");
        Arguments.given(options, "Caller.open", "the options");
        ServiceNumber.checked("Caller.open: service", service);
        known.check("Caller.open", known.node());
        CallerImpl caller = new CallerImpl(known, service, options, outcomes);
        caller.link.open();
        known.onEnd(caller.peerEnded);
        caller.sweep.begin();
        caller.isOpened();
        return caller;
    }

    private void isOpened() {
        tracker = Leaks.track(this, "Caller", Leaks.Often.SELDOM, ((NodeImpl) peer.node()).tracker());
        if (closed != null) {
            tracker.closed();
        }
    }

    @Override
    CallerOptions options() {
        return options;
    }

    @Override
    public CompletableFuture<byte[]> call(byte[] request, Duration deadline) {
        MemorySegment memory = MemorySegment.ofArray(Arguments.given(request, "Caller.call", "the request"));
        long nanos = nanos(deadline);
        BytesCall call = new BytesCall(link.drive(), memory, Clock.after(nanos));
        submit(call, nanos);
        return call;
    }

    @Override
    public CompletableFuture<MemorySegment> call(MemorySegment request, MemorySegment answer, Duration deadline) {
        Arguments.given(request, "Caller.call", "the request");
        if (Arguments.given(answer, "Caller.call", "the memory of the answer").isReadOnly()) {
            throw new IllegalArgumentException("Caller.call: the memory of the answer is read-only");
        }
        checkMemory(request, "the request");
        checkMemory(answer, "the memory of the answer");
        long nanos = nanos(deadline);
        MemoryCall call = new MemoryCall(link.drive(), request, answer, Clock.after(nanos));
        submit(call, nanos);
        return call;
    }

    private void checkMemory(MemorySegment memory, String what) {
        Buffers.checkAccessible("Caller.call", memory);
        if (link.drive().hasEngine()) {
            Buffers.checkForAnyThread("Caller.call", what, memory);
        }
    }

    private static long nanos(Duration deadline) {
        return Clock.nanos(Arguments.deadline(deadline, "Caller.call", "the deadline"));
    }

    void submit(Outgoing<?> call, long nanos) {
        call.isCountedBy(outcomes);
        FabricException why = closed;
        if (why != null) {
            call.completeExceptionally(why);
            return;
        }
        int slot = waiting.get() == 0 && link.isReady() ? window.pop() : -1;
        if (slot >= 0) {
            link.requests().start(slot, call, nanos);
            // its answer may have been here before its slot was free
            drain();
        } else if (waiting.incrementAndGet() > options.backlog()) {
            waiting.decrementAndGet();
            call.completeExceptionally(full);
        } else {
            queue.add(call);
            link.wanted();
            drain();
        }
        sweep.begin();
        failedAsClosed();
    }

    /** There is no session any more, and hellos are the clock's. */
    void needsSession() {
        sweep.begin();
    }

    /** It was to be started, and there is no session any more. */
    void waitsAgain(Outgoing<?> call) {
        call.returns();
        waiting.incrementAndGet();
        queue.add(call);
        link.wanted();
        sweep.begin();
    }

    private boolean failedAsClosed() {
        FabricException why = closed;
        if (why != null) {
            failAll(why);
        }
        return why != null;
    }

    /** Starts what waits, as far as there are slots. */
    void drain() {
        while (waiting.get() > 0 && link.isReady()) {
            int slot = window.pop();
            if (slot < 0) {
                return;
            }
            Outgoing<?> next = next();
            if (next == null) {
                window.push(slot);
                // nobody may have come between the two
                if (queue.isEmpty()) {
                    return;
                }
            } else {
                link.requests().start(slot, next, next.left());
                // the clock may have looked in between, and seen it neither here nor there
                sweep.begin();
                // who closes may have gone past the slot before
                if (failedAsClosed()) {
                    return;
                }
            }
        }
    }

    private Outgoing<?> next() {
        Outgoing<?> next = queue.poll();
        while (next != null) {
            if (leavesQueue(next) && !next.isDone()) {
                if (!next.isLate(Clock.now())) {
                    return next;
                }
                late.add(next);
                sweep.begin();
            }
            next = queue.poll();
        }
        return null;
    }

    /** Whether nobody else has taken it from the queue, as the clock may at the same moment. */
    private boolean leavesQueue(Outgoing<?> call) {
        boolean leaves = call.leavesQueue();
        if (leaves) {
            waiting.decrementAndGet();
        }
        return leaves;
    }

    /** By the clock. Whether there is more for it to do. */
    private boolean tick() {
        long now = Clock.now();
        link.tick(now);
        boolean freed = false;
        for (int slot = 0; slot < window.size; slot++) {
            Outgoing<?> call = window.at(slot);
            freed |= call != null && !endIfLate(call, now) && freeIfLost(slot, call, now);
        }
        if (freed || mayStand()) {
            // whatever the executor does
            Completing.startAside(this::drainWherePolled);
        }
        endLate();
        // in order of arrival, mostly that of the deadlines, too
        for (Outgoing<?> call : queue) {
            if (!endIfLate(call, now) && !call.isDone()) {
                break;
            }
        }
        queueTick(now);
        return closed == null
                && (waiting.get() > 0 || !late.isEmpty() || link.isBusy() || window.underWay() > 0);
    }

    /** Nobody would start what waits; one more look costs little. Where callers poll, they have it to do already. */
    private boolean mayStand() {
        return waiting.get() > 0 && link.isReady() && window.underWay() == 0 && link.drive().hasEngine();
    }

    /** Now and then all of the queue is looked through, for deadlines that are shorter than those before them. */
    private void queueTick(long now) {
        if (++ticks % 10 == 0) {
            queue.removeIf(call -> {
                boolean late = call.isLate(now);
                boolean over = (late || call.isDone()) && leavesQueue(call);
                if (over && late) {
                    // not here: what the program has appended may call again
                    this.late.add(call);
                }
                return over;
            });
            endLate();
        }
    }

    /** Those there are now: what the program has appended may call again, and again too late. */
    private void endLate() {
        List<Outgoing<?>> ended = new ArrayList<>();
        for (Outgoing<?> call = late.poll(); call != null; call = late.poll()) {
            ended.add(call);
        }
        // also if it is late by a later clock than that of the one who looks
        ended.stream().filter(Outgoing::claim).forEach(this::end);
    }

    private boolean endIfLate(Outgoing<?> call, long now) {
        boolean ends = call.isLate(now) && call.claim();
        if (ends) {
            end(call);
        }
        return ends;
    }

    /** Not in this thread, as what the program has appended may wait for calls that the clock has to end. */
    private void end(Outgoing<?> call) {
        String why = call.id == 0 ? link.isReady()
                ? "the call could not be sent in time, " + window.underWay() + " others were under way"
                : "the service does not answer: is it open, with the number " + service + ", and the peer alive?"
                : "no answer in time";
        // nor the exception, whose making takes long for a clock that may have thousands to end
        link.drive().completing().runAside(() -> call.completeExceptionally(failure(FabricError.ETIMEDOUT, why)));
    }

    /** Whether the slot of a call was freed that should have been answered long ago. A late answer has another id. */
    private boolean freeIfLost(int slot, Outgoing<?> call, long now) {
        boolean lost = call.isDone() && call.isLate(now - GRACE) && window.end(slot, call);
        if (lost) {
            window.letGo(slot);
        }
        return lost;
    }

    /** Fails what waits and what is under way. */
    void failAll(FabricException why) {
        Completing.runAll(endUnderWay(call -> true, why));
        failWaiting(why);
    }

    /** A call that was begun meanwhile is of the next session; those that wait get the places. */
    void failUnderWay(Session session, FabricException why) {
        List<Runnable> ends = endUnderWay(call -> call.moves(session, Session.OVER), why);
        // before what follows on these, which may wait for those
        ends.addFirst(this::drainWherePolled);
        Completing.runAll(ends);
    }

    /** What failed may have been ended by any thread, what succeeded by the one that polls. */
    void drainAfter(Throwable failure) {
        if (failure == null) {
            drain();
        } else {
            drainWherePolled();
        }
    }

    /** Where the program makes the progress, requests may be in memory that is its thread's alone. */
    void drainWherePolled() {
        Drive drive = link.drive();
        if (drive.hasEngine()) {
            drain();
        } else {
            drive.later(() -> {
                drive.atOnce(this::drain);
                return true;
            });
        }
    }

    private List<Runnable> endUnderWay(Predicate<Outgoing<?>> which, FabricException why) {
        List<Runnable> ends = new ArrayList<>();
        for (int slot = 0; slot < window.size; slot++) {
            Outgoing<?> call = window.at(slot);
            if (call != null && which.test(call) && window.end(slot, call)) {
                ends.add(() -> link.drive().completing().run(() -> call.abandon(why)));
                window.letGo(slot);
            }
        }
        return ends;
    }

    void failWaiting(FabricException why) {
        List<Outgoing<?>> all = new ArrayList<>();
        for (Outgoing<?> call = next(); call != null; call = next()) {
            all.add(call);
        }
        for (Outgoing<?> call = late.poll(); call != null; call = late.poll()) {
            all.add(call);
        }
        Completing completing = link.drive().completing();
        Completing.runAll(all.stream().map(call ->
                (Runnable) () -> completing.run(() -> call.completeExceptionally(why))).toList());
    }

    OverloadException busy(boolean isClosing) {
        return isClosing ? closing : busy;
    }

    /** Of an answer. */
    FabricException tooLong(long length) {
        return failure(FabricError.EMSGSIZE, "an answer of " + length + " bytes is more than "
                + options.largestAnswer() + " (CallerOptions.withLargestAnswer)");
    }

    FabricException failure(FabricError error, String detail) {
        return FabricException.of(what(), error.code(), detail);
    }

    FabricException failure(FabricError error, String detail, Exception cause) {
        return (FabricException) failure(error, detail).initCause(cause);
    }

    /** Its message failed, of which the program knows nothing: that is the cause. */
    Throwable ofCall(Throwable failure) {
        return switch (NodeFuture.cause(failure)) {
            case OverloadException _ -> nodeIsFull;
            case FabricException message -> ofMessage(message);
            case IllegalStateException met -> closedMeanwhile(met);
            case Throwable why -> why;
        };
    }

    /** Whether this, its peer or its node was closed. */
    boolean isOver() {
        return closed != null || peer.whatIsClosed() != null;
    }

    /** Of what was closed meanwhile, and says so in words of its own; the same if that was memory of the program's. */
    RuntimeException closedMeanwhile(IllegalStateException met) {
        FabricException why = closed != null ? closed : peer.whyEnded();
        String what = peer.whatIsClosed();
        if (why != null || what == null) {
            return why == null ? met : why;
        }
        return failure(FabricError.ECANCELED, "the " + what + " was closed", met);
    }

    FabricException ofMessage(FabricException message) {
        if (message.operation().equals(what())) {
            return message;
        }
        return failure(message.error(), detail(message), message);
    }

    /** What it says besides the operation and the error. */
    private static String detail(FabricException message) {
        String text = message.getMessage();
        int at = text.indexOf("; ", message.operation().length());
        return at < 0 ? "" : text.substring(at + 2);
    }

    String what() {
        return "call of service " + service + " at " + peer.address();
    }

    int service() {
        return service;
    }

    @Override
    public PeerImpl peer() {
        return peer;
    }

    @Override
    public int underWay() {
        return window.underWay();
    }

    @Override
    public int waiting() {
        return waiting.get();
    }

    @Override
    public boolean isOpen() {
        return closed == null && peer.node().isOpen();
    }

    /** The node or peer was closed, or is down. */
    void ended(FabricException why) {
        synchronized (this) {
            if (closed != null) {
                return;
            }
            closed = why;
        }
        if (tracker != null) {
            tracker.closed();
        }
        // a peer may outlive many callers
        peer.forgetEnd(peerEnded);
        boolean hadCalls = window.underWay() > 0;
        failAll(why);
        link.close(hadCalls);
    }

    @Override
    public void close() {
        ended(failure(FabricError.ECANCELED, "the caller was closed"));
    }

    @Override
    public String toString() {
        return "caller of service " + service + " at " + peer.address() + (closed == null ? "" : " (closed)");
    }
}
