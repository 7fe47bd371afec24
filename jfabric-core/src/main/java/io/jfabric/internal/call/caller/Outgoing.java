// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.LendingFuture;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Parts;
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
    /** The answer is here, or on its way into the memory: the call cannot time out any more. */
    private static final int TAKEN = 1;
    private static final VarHandle STATE;
    private static final VarHandle SESSION;
    private static final VarHandle WAITS;
    private static final VarHandle FOLLOWED;
    private static final VarHandle LANDING;
    private static final VarHandle USES;
    /** In place of a landing: the program has ended the call, and nothing is to be received into its memory. */
    private static final Landing ENDED = new Landing(null, null);
    /**
     * In place of a landing: we are copying into memory of the program. Whoever wants to end the call meanwhile puts a
     * landing there.
     */
    private static final Landing COPYING = new Landing(null, null);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Outgoing.class, "state", int.class).withInvokeExactBehavior();
            SESSION = lookup.findVarHandle(Outgoing.class, "session", Session.class).withInvokeExactBehavior();
            WAITS = lookup.findVarHandle(Outgoing.class, "waits", boolean.class).withInvokeExactBehavior();
            FOLLOWED = lookup.findVarHandle(Outgoing.class, "followed", boolean.class).withInvokeExactBehavior();
            LANDING = lookup.findVarHandle(Outgoing.class, "landing", Landing.class).withInvokeExactBehavior();
            USES = lookup.findVarHandle(Outgoing.class, "uses", int.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Its {@link Parts}, read by {@link #copyRequest}, and by the provider after {@link #lend}. */
    final MemorySegment[] request;
    private final long end;
    /** Set when the call starts. */
    volatile long id;
    /** The session in which it is sent; changed by {@link #moves}. */
    volatile Session session;
    /** Set if its answer is already being received. */
    volatile Announced announced;
    private volatile int state;
    /** Set while the provider, or we, may write into memory of the program. */
    private volatile Landing landing;
    /** How often memory of the program is lent at the moment. */
    private volatile int uses;
    /** Whether it is counted as one that waits. */
    private volatile boolean waits;
    /** Whether the request has followed its announcement: only once, however often a service asks for it. */
    private volatile boolean followed;
    /** Where its caller counts it. */
    private Outcomes outcomes;
    private CallFailures failures;
    private T value;
    private Throwable failure;

    /** {@code end} is its deadline, by the {@link Clock}. */
    Outgoing(Drive drive, MemorySegment[] request, long end) {
        super(drive);
        this.request = request;
        this.end = end;
    }

    /** Before the call is known to anyone else. */
    final void isOf(Outcomes all, CallFailures ofCaller) {
        outcomes = all;
        failures = ofCaller;
    }

    @Override
    public final String described() {
        return failures.what();
    }

    /** Whether nobody else ends the call; then whoever asked must. */
    final boolean claim() {
        return !isDone() && STATE.compareAndSet(this, OPEN, TAKEN);
    }

    /** Whether it is being ended. Whoever began that before the call had an {@link #id} takes it for not sent. */
    final boolean isClaimed() {
        return state == TAKEN;
    }

    /** {@link #claim}, if it is late. */
    final boolean claimIfLate(long now) {
        return isLate(now) && claim();
    }

    /** Moves it from one session to another; false if it was not in the first. */
    final boolean moves(Session from, Session to) {
        return SESSION.compareAndSet(this, from, to);
    }

    /** Undoes {@link #claim}: the answer will come in another way. */
    final void reopen() {
        // in this order: whoever finds nothing announced and cannot claim it leaves the end to somebody else
        state = OPEN;
        announced = null;
    }

    /** The answer is to be received into the program's memory; false if the program has ended the call. */
    final boolean lands(Landing one) {
        return LANDING.compareAndSet(this, (Landing) null, one);
    }

    /** Nothing comes into the program's memory any more. Something else may, unless the program has ended the call. */
    final void landed(Landing one, boolean isEnded) {
        Landing next = isEnded ? ENDED : null;
        LANDING.compareAndSet(this, one, next);
    }

    final long requestLength() {
        return Parts.length(request);
    }

    /** Copies the request. False if the call is over: then the program may have changed the request meanwhile. */
    final boolean copyRequest(MemorySegment to, long offset) {
        // memory on the heap cannot be freed
        boolean lent = Parts.isAnyNative(request);
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

    /**
     * The parts of the request, after a copy to there as by {@link Parts#copied}; what is not copied is {@linkplain
     * #lend lent}. Null if the call is over, as in {@link #copyRequest}.
     */
    final MemorySegment[] copiedTo(MemorySegment to) {
        if (to.byteSize() == requestLength()) {
            return copyRequest(to, 0) ? new MemorySegment[] {to} : null;
        }
        if (!lend()) {
            return null;
        }
        MemorySegment[] parts = null;
        try {
            MemorySegment[] copied = Parts.copied(request, to);
            VarHandle.acquireFence();
            parts = isDone() ? null : copied;
            return parts;
        } finally {
            if (parts == null) {
                giveBack();
            }
        }
    }

    /** A test may override this to be slow. */
    void readRequest(MemorySegment to, long offset) {
        Parts.copy(request, to, offset);
    }

    /** The provider is to use memory of the program; false if the call is over, and it must not. */
    final boolean lend() {
        int before = (int) USES.getAndAdd(this, 1);
        assert before >= 0;
        if (isDone()) {
            giveBack();
            return false;
        }
        return true;
    }

    /** The provider has done with the memory. */
    final void giveBack() {
        if ((int) USES.getAndAdd(this, -1) == 1) {
            tellReleased();
        }
    }

    @Override
    protected final boolean isLent() {
        return uses != 0;
    }

    /** Whether the program has ended the call, or is about to. */
    final boolean isEndedByProgram() {
        return landing == ENDED;
    }

    /** The landing through which the program has to end the call; null if it may do so at once. */
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

    /** Ends the call by the program, or for it. Returns whether it was ended that way at once. */
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
        // first: whoever sees the future done sees it counted
        known.add(why, 1);
        boolean ends = super.completeNow(answer, why);
        if (!ends) {
            known.add(why, -1);
        }
        return ends;
    }

    /** Ends it as was wished before; runs continuations as {@link #hand} does. */
    final void end(BooleanSupplier how) {
        progress().completing().run(how::getAsBoolean);
    }

    /** Ends it from outside; with a landing, soon. */
    final void abandon(Throwable why) {
        end(() -> completeNow(null, why), false);
    }

    /** Ends it although its memory is not given back. */
    final void endEarly(Throwable why) {
        completeNow(null, why);
    }

    /** It is to wait. */
    final void waits() {
        waits = true;
    }

    /** Whether it has waited, and the thread that asks is the one that ends that. */
    final boolean waitsNoMore() {
        return WAITS.compareAndSet(this, true, false);
    }

    /** Whether the request has not followed its announcement yet; from now on it has. */
    final boolean follows() {
        return FOLLOWED.compareAndSet(this, false, true);
    }

    /** It was not sent, and is to wait in the queue again. */
    final void returns() {
        id = 0;
        waits = true;
    }

    /** By the {@link Clock}. */
    final long deadline() {
        return end;
    }

    final boolean isLate(long now) {
        return end <= now;
    }

    /** The nanoseconds left, as in a {@link Frame}. */
    final long left() {
        return Math.max(1, Clock.left(end));
    }

    final void value(T answer) {
        value = answer;
    }

    final void failure(Throwable why) {
        failure = why;
    }

    /** After {@link #claim}: completes the future with what was set before, and runs the program's continuations. */
    @Override
    public final void finish() {
        Landing now = landing;
        if (now == null || now != ENDED && copied()) {
            hand(value, failure);
        }
        // else whoever has ended it does that
    }

    /** Copies the answer out of memory that will be reused. Throws what the call fails with. */
    abstract void take(MemorySegment from, long offset, long length);

    /** All the room for an answer if the provider can write into it; else null. */
    abstract MemorySegment wholeRoom();

    /** Room for a long answer; null if a block is to be used. Throws what the call fails with. */
    abstract MemorySegment room(long length);

    /** Whether {@link #take} writes into memory of the program. */
    abstract boolean fillsMemory();

    /**
     * The answer is here, in memory that will be reused. The call fails if the program's memory was freed meanwhile, or
     * there is none for a copy. False if the program has ended the call, or another answer is being taken: then the
     * call is not to be finished for this one.
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

    /** False if the call was ended meanwhile; then completes it that way. */
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
