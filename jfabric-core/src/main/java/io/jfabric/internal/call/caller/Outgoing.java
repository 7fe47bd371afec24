// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.LendingFuture;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** A call and the future of its answer. */
abstract class Outgoing<T> extends LendingFuture<T> implements Hub.Ending {
    private static final int OPEN = 0;
    /** The answer is here, or on its way into the memory: no time-out any more. */
    private static final int TAKEN = 1;
    private static final VarHandle STATE;
    private static final VarHandle SESSION;
    private static final VarHandle LEFT;
    private static final VarHandle FOLLOWED;
    private static final VarHandle LANDING;
    private static final VarHandle USES;
    /** In the place of a landing: the program has ended the call, nothing is to be received into its memory. */
    private static final Landing ENDED = new Landing(null, null);
    /** The same: we copy into memory of the program's. Who wants to end the call meanwhile puts a landing there. */
    private static final Landing COPYING = new Landing(null, null);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Outgoing.class, "state", int.class).withInvokeExactBehavior();
            SESSION = lookup.findVarHandle(Outgoing.class, "session", Session.class).withInvokeExactBehavior();
            LEFT = lookup.findVarHandle(Outgoing.class, "left", boolean.class).withInvokeExactBehavior();
            FOLLOWED = lookup.findVarHandle(Outgoing.class, "followed", boolean.class).withInvokeExactBehavior();
            LANDING = lookup.findVarHandle(Outgoing.class, "landing", Landing.class).withInvokeExactBehavior();
            USES = lookup.findVarHandle(Outgoing.class, "uses", int.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Read by {@link #copyRequest}; by the provider after {@link #lend}. */
    final MemorySegment request;
    private final long end;
    /** Given when it starts. */
    volatile long id;
    /** What it is sent in; changed by {@link #moves}. */
    volatile Session session;
    /** If its answer is received already. */
    volatile Announced announced;
    private volatile int state;
    /** While the provider, or we, may write into memory of the program's. */
    private volatile Landing landing;
    /** How many times the provider has memory of the program's. */
    private volatile int uses;
    /** Whether somebody has taken it from the queue it waited in. */
    private volatile boolean left;
    /** Whether the request has followed its announcement: once, however often a service asks for it. */
    private volatile boolean followed;
    /** Whose it is counts it there. */
    private Outcomes outcomes;
    private CallFailures failures;
    private T value;
    private Throwable failure;

    /** With when it must be over, by the {@link Clock}. */
    Outgoing(Drive drive, MemorySegment request, long end) {
        super(drive);
        this.request = request;
        this.end = end;
    }

    /** Before anybody else knows of it. */
    final void isOf(Outcomes all, CallFailures ofCaller) {
        outcomes = all;
        failures = ofCaller;
    }

    @Override
    public final String described() {
        return failures.what();
    }

    /** Whether nobody else ends it; then the one who asked must. */
    final boolean claim() {
        return !isDone() && STATE.compareAndSet(this, OPEN, TAKEN);
    }

    /** Whether somebody ends it; who does so before it has an {@link #id} finds none. */
    final boolean isClaimed() {
        return state == TAKEN;
    }

    /** The same as {@link #claim}, if it is late. */
    final boolean claimIfLate(long now) {
        return isLate(now) && claim();
    }

    /** Whether it was of one session, and is of another now. */
    final boolean moves(Session from, Session to) {
        return SESSION.compareAndSet(this, from, to);
    }

    /** Undoes {@link #claim}: the answer will come in another way. */
    final void reopen() {
        // in this order: who finds nothing announced, and cannot claim it, leaves its end to somebody else
        state = OPEN;
        announced = null;
    }

    /** The answer is to be received into the program's memory; false if the program has ended the call. */
    final boolean lands(Landing one) {
        return LANDING.compareAndSet(this, (Landing) null, one);
    }

    /** Nothing comes into the program's memory any more; unless the program has ended the call something else may. */
    final void landed(Landing one, boolean isEnded) {
        Landing next = isEnded ? ENDED : null;
        LANDING.compareAndSet(this, one, next);
    }

    /** Copies the request. False if the call is over: then the program may have changed it meanwhile. */
    final boolean copyRequest(MemorySegment to, long offset) {
        // others cannot be freed
        boolean lent = request.isNative();
        if (lent && !lend()) {
            return false;
        }
        try {
            readRequest(to, offset);
        } finally {
            if (lent) {
                giveBack();
            }
        }
        // not before all is read
        VarHandle.acquireFence();
        return !isDone();
    }

    /** A test may do it slowly. */
    void readRequest(MemorySegment to, long offset) {
        MemorySegment.copy(request, 0, to, offset, request.byteSize());
    }

    /** The provider is to have memory of the program's; false if the call is over, and it is not to. */
    final boolean lend() {
        int before = (int) USES.getAndAdd(this, 1);
        assert before >= 0;
        if (isDone()) {
            giveBack();
            return false;
        }
        return true;
    }

    /** The provider has done with it. */
    final void giveBack() {
        if ((int) USES.getAndAdd(this, -1) == 1) {
            tellReleased();
        }
    }

    @Override
    protected final boolean isLent() {
        return uses != 0;
    }

    /** Whether the program has, or is about to. */
    final boolean isEndedByProgram() {
        return landing == ENDED;
    }

    /** Who has to end the call for somebody else than us; null if that may be done at once. */
    private Landing endedByProgram() {
        while (true) {
            Landing now = landing;
            if (now == null && LANDING.compareAndSet(this, (Landing) null, ENDED) || now == ENDED) {
                return null;
            }
            if (now == COPYING) {
                Landing one = new Landing(this, null);
                now = LANDING.compareAndSet(this, COPYING, one) ? one : null;
            }
            if (now != null) {
                return now;
            }
        }
    }

    /** By the program, or for it. Whether it has been ended so at once. */
    private boolean end(BooleanSupplier how, boolean waits) {
        for (Landing under = endedByProgram(); under != null; under = endedByProgram()) {
            switch (under.giveUp(how)) {
                case TAKEN -> {
                    return waits && under.awaitEnd(how);
                }
                case REFUSED -> {
                    return false;
                }
                default -> under.over();
            }
        }
        return how.getAsBoolean();
    }

    @Override
    public boolean complete(T answer) {
        return !isDone() && end(() -> completeNow(answer, null), true);
    }

    @Override
    public boolean completeExceptionally(Throwable why) {
        Objects.requireNonNull(why, "completeExceptionally: the failure is null");
        return !isDone() && end(() -> completeNow(null, why), true);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return isCancelled();
        }
        return end(() -> completeNow(null, new CancellationException()), true) || isCancelled();
    }

    @Override
    protected final boolean completeNow(T answer, Throwable why) {
        Outcomes known = outcomes;
        if (known == null || isDone()) {
            return super.completeNow(answer, why);
        }
        // first: who sees the future done sees it counted
        known.add(why, 1);
        boolean ends = super.completeNow(answer, why);
        if (!ends) {
            known.add(why, -1);
        }
        return ends;
    }

    /** As somebody has wished before; as {@link #hand} does it. */
    final void end(BooleanSupplier how) {
        progress().completing().run(how::getAsBoolean);
    }

    /** Ends it from outside; with a landing soon. */
    final void abandon(Throwable why) {
        end(() -> completeNow(null, why), false);
    }

    /** Ends it although its memory is not given back. */
    final void endEarly(Throwable why) {
        completeNow(null, why);
    }

    /** Whether it was the caller who took it from its queue. */
    final boolean leavesQueue() {
        return LEFT.compareAndSet(this, false, true);
    }

    /** Whether the request has not followed its announcement; from now on it has. */
    final boolean follows() {
        return FOLLOWED.compareAndSet(this, false, true);
    }

    /** It is to wait there again, and has not been sent. */
    final void returns() {
        id = 0;
        left = false;
    }

    final boolean isLate(long now) {
        return end <= now;
    }

    /** As in a {@link Frame}. */
    final long left() {
        return Math.max(1, Clock.left(end));
    }

    final void value(T answer) {
        value = answer;
    }

    final void failure(Throwable why) {
        failure = why;
    }

    /** After {@link #claim}: completes the future with what was set before. Runs what the program has appended. */
    @Override
    public final void finish() {
        Landing now = landing;
        if (now == null || now != ENDED && copied()) {
            hand(value, failure);
        }
        // else by who has ended it
    }

    /** Takes the answer out of memory that will be used again. Throws what the call fails with. */
    abstract void take(MemorySegment from, long offset, long length);

    /** All the room there is for an answer, if the provider can write into it; else null. */
    abstract MemorySegment wholeRoom();

    /** Room for a long answer; null if a block is to be used. Throws what the call fails with. */
    abstract MemorySegment room(long length);

    /** Whether {@link #take} writes into memory of the program's. */
    abstract boolean fillsMemory();

    /**
     * The answer is here, in memory that will be used again. If the program's was freed meanwhile, or there is none for
     * a copy, the call fails. False if the program has ended the call, or somebody else takes an answer: then it is not
     * to be finished for this one.
     */
    final boolean deliver(MemorySegment from, long offset, long length) {
        if (fillsMemory() && !beginsToCopy()) {
            return false;
        }
        try {
            take(from, offset, length);
        } catch (RuntimeException | Error unusable) {
            failure(unusable);
        }
        return true;
    }

    /** Until {@link #finish}. */
    private boolean beginsToCopy() {
        if (!LANDING.compareAndSet(this, (Landing) null, COPYING)) {
            return false;
        }
        if (isDone()) {
            copied();
            return false;
        }
        return true;
    }

    /** False if somebody has ended the call meanwhile, as it now is. */
    private boolean copied() {
        if (LANDING.compareAndSet(this, COPYING, (Landing) null)) {
            return true;
        }
        Landing meanwhile = landing;
        meanwhile.over();
        return !meanwhile.tell();
    }

    /** The answer is in the {@link #room}, or in part of the {@link #wholeRoom}. */
    abstract void arrived(MemorySegment room);
}
