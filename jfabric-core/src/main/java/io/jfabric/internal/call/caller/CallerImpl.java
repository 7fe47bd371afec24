// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.NotHandledException;
import io.jfabric.async.Peer;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.Parts;
import io.jfabric.internal.call.wire.ServiceNumber;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.life.StackRoom;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@link Caller}: decides which call goes when, and which ends by the clock. {@link CallerLink} does the sending. */
public final class CallerImpl extends CountedCaller {
    private static final long PERIOD = 10;
    /** How long after its deadline an unanswered call keeps its slot; then the answer is lost, or the peer. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(5);

    private final PeerImpl peer;
    private final int service;
    private final CallerOptions options;
    private final Window window;
    private final CallFailures failures;
    private final WaitingCalls waiting;
    private final CallerLink link;
    private final LateEnds lateEnds;
    private final Sessions sessions;
    private final Sweep sweep = new Sweep(PERIOD, this::tick);
    /** When the sweep begins again by itself; null if it never slept. For the clock only. */
    private Future<?> alarm;
    /** Not exact. */
    private int calls;
    private final Consumer<FabricException> peerEnded = this::peerEnded;
    /** What new calls fail with, and why; null while the caller is open. */
    private volatile NotHandledException closed;
    /** Null until the caller is open. */
    private volatile Leaks.Tracker tracker;

    private CallerImpl(PeerImpl peer, int service, CallerOptions options, Outcomes outcomes) {
        super(outcomes);
        this.peer = peer;
        this.service = service;
        this.options = options;
        this.window = new Window(options.window());
        this.failures = new CallFailures(peer, service, options, this::whyClosed);
        this.waiting = new WaitingCalls(options.backlog(), sweep, this::end);
        this.link = new CallerLink(this, window);
        this.lateEnds = new LateEnds(link.drive().completing());
        this.sessions = link.sessions();
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

    /** Null while the caller is open. */
    private FabricException whyClosed() {
        NotHandledException why = closed;
        return why == null ? null : (FabricException) why.getCause();
    }

    /** Whether the service has ever answered. */
    boolean isKnown() {
        return sessions.isKnown();
    }

    /** What the calls of this caller fail with. */
    CallFailures failures() {
        return failures;
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
        checkMemory(Arguments.given(request, "Caller.call", "the request"), "the request");
        return begin(new MemorySegment[] {request}, answer, deadline);
    }

    @Override
    public CompletableFuture<MemorySegment> call(List<MemorySegment> request, MemorySegment answer,
            Duration deadline) {
        return begin(Parts.of("Caller.call", "request", request, link.drive().hasEngine()), answer, deadline);
    }

    private MemoryCall begin(MemorySegment[] request, MemorySegment answer, Duration deadline) {
        if (Arguments.given(answer, "Caller.call", "the memory of the answer").isReadOnly()) {
            throw new IllegalArgumentException("Caller.call: the memory of the answer is read-only");
        }
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
        StackRoom.ensureForSeveral(calls++);
        call.isOf(outcomes, failures);
        NotHandledException why = closed;
        if (why != null) {
            call.completeExceptionally(why);
            return;
        }
        int slot = waiting.count() == 0 && sessions.isReady() ? window.pop() : -1;
        if (slot >= 0) {
            link.requests().start(slot, call, nanos);
            // its answer may have come before its slot was free
            drain();
        } else if (waiting.add(call)) {
            sessions.wanted();
            drain();
        } else {
            call.completeExceptionally(failures.full());
        }
        sweep.begin();
        failedAsClosed();
    }

    /** There is no session any more, and the clock says the hellos. */
    void needsSession() {
        sweep.begin();
    }

    /** The call was about to start, and there is no session any more. */
    void waitsAgain(Outgoing<?> call) {
        waiting.addAgain(call);
        sessions.wanted();
        sweep.begin();
    }

    private boolean failedAsClosed() {
        NotHandledException why = closed;
        if (why != null) {
            failAll(why);
        }
        return why != null;
    }

    /** Starts calls that wait, as long as there are free slots. */
    void drain() {
        while (waiting.count() > 0 && sessions.isReady()) {
            int slot = window.pop();
            if (slot < 0) {
                return;
            }
            Outgoing<?> next = waiting.next();
            if (next == null) {
                window.push(slot);
                // a call may have come between the two
                if (waiting.isEmpty()) {
                    return;
                }
            } else {
                link.requests().start(slot, next, next.left());
                // the clock may have looked in between, and seen the call neither waiting nor under way
                sweep.begin();
                // whoever closes the caller may have passed the slot before
                if (failedAsClosed()) {
                    return;
                }
            }
        }
    }

    /** By the clock. Returns whether it is to go on. */
    private boolean tick() {
        long now = Clock.now();
        sessions.tick(now);
        boolean freed = false;
        int slots = window.granted();
        for (int slot = 0; slot < slots; slot++) {
            Outgoing<?> call = window.at(slot);
            if (call != null && call.claimIfLate(now)) {
                end(call);
            } else {
                freed |= call != null && freeIfLost(slot, call, now);
            }
        }
        if (freed || mayStand()) {
            // in a thread that does not depend on the executor
            Aside.start(this::drainWherePolled);
        }
        waiting.tick(now);
        lateEnds.tick();
        boolean isNeeded = lateEnds.areLeft() || closed == null && (waiting.areLeft() || window.underWay() > 0);
        if (!isNeeded && closed == null && sessions.isBusy()) {
            sleepUntil(sessions.nextHello(now), now);
        }
        return isNeeded;
    }

    /** Nothing but a hello is due, and this clock may have thousands of such callers. A call wakes it earlier. */
    private void sleepUntil(long hello, long now) {
        Future<?> former = alarm;
        if (former != null) {
            former.cancel(false);
        }
        alarm = Ticks.once(Math.max(0, TimeUnit.NANOSECONDS.toMillis(hello - now) - PERIOD), sweep::begin);
    }

    /** Whether calls wait that nobody else may start; a look costs little. If the program polls, it does so anyway. */
    private boolean mayStand() {
        return waiting.count() > 0 && sessions.isReady() && window.underWay() == 0 && link.drive().hasEngine();
    }

    /** Ends a late call that was claimed: soon, in another thread. */
    void end(Outgoing<?> call) {
        boolean ends = false;
        try {
            boolean isSent = call.id != 0;
            String why = !isSent ? sessions.isReady()
                    ? "the call could not be sent in time, " + window.underWay() + " others were under way"
                    : "the service does not answer: is it open, with the number " + service + ", and the peer alive?"
                    : "no answer in time";
            // nor is the exception made here: that takes long for a clock that may have thousands of calls to end
            lateEnds.add(() -> {
                // not before: those that are still to end take places of the backlog
                waiting.leaves(call);
                call.completeExceptionally(isSent ? failures.of(FabricError.ETIMEDOUT, why)
                        : failures.unhandled(FabricError.ETIMEDOUT, why));
            });
            ends = true;
        } finally {
            if (!ends) {
                // there is no memory for it now: the clock will find it again
                call.reopen();
            }
        }
    }

    /** Frees the slot of a call that should have been answered long ago, if so. A late answer has another id. */
    private boolean freeIfLost(int slot, Outgoing<?> call, long now) {
        boolean lost = call.isDone() && call.isLate(now - GRACE) && window.end(slot, call);
        if (lost) {
            window.letGo(slot);
        }
        return lost;
    }

    /** Fails the calls that wait, and, with the cause of that, those under way. */
    private void failAll(NotHandledException why) {
        Completing.runAll(endUnderWay(call -> true, (FabricException) why.getCause()));
        failWaiting(why);
    }

    /** Calls that were begun meanwhile belong to the next session; those that wait get the free slots. */
    void failUnderWay(Session session, FabricException why) {
        List<Runnable> ends = endUnderWay(call -> call.moves(session, Session.OVER), why);
        // before the continuations of these, which may wait for those
        ends.addFirst(this::drainWherePolled);
        Completing.runAll(ends);
    }

    /** A failed call may have been ended by any thread, a successful one only by a thread that polls. */
    void drainAfter(Throwable failure) {
        if (failure == null) {
            drain();
        } else {
            drainWherePolled();
        }
    }

    /** If the program makes the progress, requests may be in memory that is confined to its thread. */
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
        for (int slot = 0; slot < window.granted(); slot++) {
            Outgoing<?> call = window.at(slot);
            if (call != null && which.test(call) && window.end(slot, call)) {
                ends.add(() -> link.drive().completing().run(() -> call.abandon(why)));
                window.letGo(slot);
            }
        }
        return ends;
    }

    void failWaiting(FabricException why) {
        Completing completing = link.drive().completing();
        Completing.runAll(waiting.takeAll().stream().map(call ->
                (Runnable) () -> completing.run(() -> call.completeExceptionally(why))).toList());
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
        return waiting.count();
    }

    @Override
    public boolean isOpen() {
        return closed == null && peer.node().isOpen();
    }

    private void peerEnded(FabricException why) {
        ended(why != null ? why : failures.of(FabricError.ECANCELED, "the peer was closed"));
    }

    /** The node or peer was closed, or is down. */
    void ended(FabricException why) {
        NotHandledException ofNew = new NotHandledException(why);
        synchronized (this) {
            if (closed != null) {
                return;
            }
            closed = ofNew;
        }
        if (tracker != null) {
            tracker.closed();
        }
        // a peer may outlive many callers
        peer.forgetEnd(peerEnded);
        boolean hadCalls = window.underWay() > 0;
        failAll(ofNew);
        link.close(hadCalls);
    }

    @Override
    public void close() {
        ended(failures.of(FabricError.ECANCELED, "the caller was closed"));
    }

    @Override
    public String toString() {
        return "caller of service " + service + " at " + peer.address() + (closed == null ? "" : " (closed)");
    }
}
