// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.Lending;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;

/** A call and the future of its answer. */
abstract class Outgoing<T> extends NodeFuture<T> implements Hub.Ending, Lending {
    private static final int OPEN = 0;
    /** The answer is here, or on its way into the memory: no time-out any more. */
    private static final int TAKEN = 1;
    private static final VarHandle STATE;
    private static final VarHandle SESSION;
    private static final VarHandle LEFT;
    private static final VarHandle LANDING;
    private static final VarHandle USES;
    /** In the place of a landing: the program has ended the call, nothing is to be received into its memory. */
    private static final Landing ENDED = new Landing(null, null);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Outgoing.class, "state", int.class).withInvokeExactBehavior();
            SESSION = lookup.findVarHandle(Outgoing.class, "session", Session.class).withInvokeExactBehavior();
            LEFT = lookup.findVarHandle(Outgoing.class, "left", boolean.class).withInvokeExactBehavior();
            LANDING = lookup.findVarHandle(Outgoing.class, "landing", Landing.class).withInvokeExactBehavior();
            USES = lookup.findVarHandle(Outgoing.class, "uses", int.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final MemorySegment request;
    private final long end;
    private final boolean hasEnd;
    /** Given when it starts. */
    volatile long id;
    /** What it is sent in; changed by {@link #moves}. */
    volatile Session session;
    /** If its answer is received already. */
    volatile Announced announced;
    private volatile int state;
    /** While the provider may write into memory of the program's. */
    private volatile Landing landing;
    /** How many times the provider has memory of the program's. */
    private volatile int uses;
    /** Null unless somebody wants to know. */
    private volatile CompletableFuture<Void> released;
    /** Whether somebody has taken it from the queue it waited in. */
    private volatile boolean left;
    private T value;
    private Throwable failure;

    /** By {@link System#nanoTime}: when it must be over, and whether at all. */
    Outgoing(Drive drive, MemorySegment request, long end, boolean hasEnd) {
        super(drive);
        this.request = request;
        this.end = end;
        this.hasEnd = hasEnd;
    }

    /** Whether nobody else ends it; then the one who asked must. */
    final boolean claim() {
        return !isDone() && STATE.compareAndSet(this, OPEN, TAKEN);
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

    /** Nothing comes into the program's memory any more. */
    final void landed(Landing one) {
        LANDING.compareAndSet(this, one, (Landing) null);
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
    public final CompletableFuture<Void> released() {
        CompletableFuture<Void> one;
        synchronized (this) {
            one = released;
            if (one == null) {
                one = new NodeFuture<>(progress());
                released = one;
                whenComplete((answer, failure) -> tellReleased());
            }
        }
        tellReleased();
        return one;
    }

    private void tellReleased() {
        CompletableFuture<Void> one = released;
        if (one != null && isDone() && uses == 0) {
            one.complete(null);
        }
    }

    /** Whether the program has, or is about to. */
    final boolean isEndedByProgram() {
        return landing == ENDED;
    }

    /** Who has to end the call for somebody else than us; null if that may be done at once. */
    private Landing endedByProgram() {
        Landing now = landing;
        while (now == null && !LANDING.compareAndSet(this, (Landing) null, ENDED)) {
            now = landing;
        }
        return now == ENDED ? null : now;
    }

    @Override
    public boolean complete(T answer) {
        if (isDone()) {
            return false;
        }
        Landing under = endedByProgram();
        return under == null ? super.complete(answer) : under.giveUpNow(() -> super.complete(answer));
    }

    @Override
    public boolean completeExceptionally(Throwable why) {
        if (isDone()) {
            return false;
        }
        Landing under = endedByProgram();
        return under == null ? super.completeExceptionally(why)
                : under.giveUpNow(() -> super.completeExceptionally(why));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return isCancelled();
        }
        Landing under = endedByProgram();
        if (under == null) {
            return super.cancel(mayInterruptIfRunning);
        }
        under.giveUpNow(() -> super.cancel(false));
        return isCancelled();
    }

    /** Ends it from outside; with a landing soon. */
    final void abandon(Throwable why) {
        Landing under = endedByProgram();
        if (under == null) {
            super.completeExceptionally(why);
        } else {
            under.giveUp(() -> super.completeExceptionally(why));
        }
    }

    /** Ends it although its memory is not given back. */
    final void endEarly(Throwable why) {
        super.completeExceptionally(why);
    }

    /** Whether it was the caller who took it from its queue. */
    final boolean leavesQueue() {
        return LEFT.compareAndSet(this, false, true);
    }

    final boolean isLate(long now) {
        return hasEnd && end - now <= 0;
    }

    final long left(long now) {
        return hasEnd ? Math.max(1, end - now) : Frame.NO_DEADLINE;
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
        hand(value, failure);
    }

    /** Takes the answer out of memory that will be used again. Throws what the call fails with. */
    abstract void take(MemorySegment from, long offset, long length);

    /** All the room there is for an answer, if the provider can write into it; else null. */
    abstract MemorySegment wholeRoom();

    /** Room for a long answer; null if a block is to be used. Throws what the call fails with. */
    abstract MemorySegment room(long length);

    /** The answer is in the room. If that was freed meanwhile, or there is no memory for a copy, the call fails. */
    final void deliver(MemorySegment whole) {
        try {
            arrived(whole);
        } catch (RuntimeException | Error unusable) {
            failure(unusable);
        }
    }

    /** The answer is in the {@link #room}. */
    abstract void arrived(MemorySegment room);
}
