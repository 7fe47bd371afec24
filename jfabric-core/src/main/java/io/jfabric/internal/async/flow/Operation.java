// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.internal.async.future.LendingFuture;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.watch.Watch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;

/**
 * An operation and its future in one object. It waits in a {@link Lane}, then is with the provider under a number of
 * {@link Slots}, then over; the future is done by then, or earlier if it was given up and the provider does not let go.
 */
public abstract class Operation<T> extends LendingFuture<T> {
    /** Not seen by others yet. */
    protected static final int NEW = 0;
    /** In the lane. */
    protected static final int QUEUED = 1;
    /** In the lane, its first; somebody is trying to start it. */
    protected static final int STARTING = 2;
    /** With the provider. */
    protected static final int POSTED = 3;
    /** Refused when it was to be started. */
    protected static final int REFUSED = 5;
    /** Neither in a lane nor with the provider. */
    protected static final int OVER = 4;
    /** By when who polls has seen that an operation is held no longer, in nanoseconds. */
    private static final long SEEN = 1_000_000_000;
    private static final VarHandle PHASE;
    private static final VarHandle SETTLED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PHASE = lookup.findVarHandle(Operation.class, "phase", int.class).withInvokeExactBehavior();
            SETTLED = lookup.findVarHandle(Operation.class, "settled", boolean.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Lane lane;
    private final Counterpart peer;
    final long deadline;
    /** What the provider knows it by; given by {@link Slots}. */
    protected long context;
    /** In a lane, or in a list of what is over. */
    Operation<?> next;
    /** In a lane. */
    Operation<?> previous;
    /** Why it was given up; its end is then no success nor failure of its own. */
    volatile Throwable givenUp;
    /** When it was: a provider that does not answer is not waited for. */
    long givenUpAt;
    /** Until when only the provider ends it, although it was given up: it may have a message. 0 if that is not so. */
    volatile long heldUntil;
    /** Whether it was given up by the clock alone. */
    boolean isLate;
    /** Whether somebody is to end it although the provider keeps it; of the thread that polls. */
    boolean abandoned;
    /** 0 while nobody records what takes long. */
    private final long start = Watch.startOfOperation();
    private volatile int phase;
    private T value;
    private Throwable failure;
    /** Whether one of these is what came of it; written after them. */
    @SuppressWarnings("unused")
    private boolean settled;

    protected Operation(Progress progress, Lane lane, Counterpart peer, long deadline) {
        super(progress);
        this.lane = lane;
        this.peer = peer;
        this.deadline = deadline;
    }

    /** Who knows how to cancel it. */
    public abstract Endpoint endpoint();

    protected boolean isTagged() {
        return false;
    }

    /** Whether it is about memory of the peer's, which that may refuse. */
    protected boolean usesRegion() {
        return false;
    }

    /** Whether it may take long without being slow. */
    protected boolean waitsForOthers() {
        return false;
    }

    /** Whether a message that it takes is lost if nobody hears of its end. */
    protected boolean takesMessages() {
        return false;
    }

    /** Whether it is of the node's own messages: then it is not for the program's executor to end it. */
    public boolean isOwn() {
        return false;
    }

    /** Whether its success is not its end, as it will be posted again. */
    protected boolean isPostedAgain() {
        return false;
    }

    /** Whether it waits if it cannot be started at once; else it is refused. */
    protected boolean mayWait() {
        return true;
    }

    /** Gives it to the provider; false if that is busy. */
    protected abstract boolean post();

    /** What it is, for messages: {@code send of 8 bytes}. */
    public abstract String what();

    /** Counts the bytes that it has moved; as {@link #result}. */
    public abstract void count(Moved moved, Completion completion);

    /** What its future gives; in the thread that polls, while the completion is shown. */
    protected abstract T result(Completion completion);

    /** Null if it is with nobody in particular. */
    public final Counterpart peer() {
        return peer;
    }

    public final boolean isWith(Counterpart one) {
        return peer == one;
    }

    public final long deadline() {
        return deadline;
    }

    /** When it is to be looked at, as it is late or the provider does not answer. */
    final long due() {
        long held = heldUntil;
        return held == 0 ? deadline : held;
    }

    @Override
    public final long endOfHold() {
        long held = heldUntil;
        if (held == 0) {
            return 0;
        }
        return held > Clock.NEVER - SEEN ? Clock.NEVER : held + SEEN;
    }

    /** Where callers make all progress there may be nobody else. */
    @Override
    protected final void awaitHeld() {
        long end = endOfHold();
        if (end != 0 && !isDone()) {
            progress().await(this, end, false);
        }
    }

    /** Once it has a context: whether it waits for what a peer sends. */
    public final boolean receives() {
        return Slots.isReceive(context);
    }

    /** Whether the provider has, or may be just about to get it. */
    public final boolean isUnderWay() {
        return phase != OVER && phase != REFUSED;
    }

    /** Whether the provider has not got it yet. */
    public final boolean isPending() {
        int now = phase;
        return now == NEW || now == QUEUED || now == STARTING;
    }

    public final boolean isPosted() {
        return phase == POSTED;
    }

    protected final int phase() {
        return phase;
    }

    protected final void phase(int newPhase) {
        phase = newPhase;
    }

    protected final boolean change(int from, int to) {
        return PHASE.compareAndSet(this, from, to);
    }

    /** Whether it was neither over nor stopped: then it is now, and the caller's to end. */
    final boolean claimEnd() {
        int now = phase;
        while (now != OVER && now != REFUSED && !change(now, OVER)) {
            now = phase;
        }
        return now != OVER && now != REFUSED;
    }

    /** The provider is done with it. Completes nothing yet: that is {@link #finish}'s, outside of all locks. */
    public final void succeeded(Completion completion) {
        try {
            value = result(completion);
        } catch (Throwable unreadable) {
            // the thread that polls is everybody's
            failure = unreadable;
        }
        SETTLED.setRelease(this, true);
        // who must know at once is told when the future is done
        PHASE.setRelease(this, OVER);
    }

    public final void failed(CompletionError error) {
        Throwable why = givenUp;
        try {
            failure = why != null && error.errno() == Errno.ECANCELED ? why : Errors.of(this, error);
            letGo();
        } catch (Throwable unreadable) {
            failure = unreadable;
        }
        SETTLED.setRelease(this, true);
        phase = OVER;
    }

    /** The provider has reported that it failed, and uses its buffers no more. In the thread that polls. */
    protected void letGo() {
        // they are the program's as a rule
    }

    final void failed(Throwable why) {
        failure = why;
        SETTLED.setRelease(this, true);
        phase = OVER;
    }

    /** Completes the future. */
    final void finish() {
        if (failure == null) {
            tellIfSlow();
            finishValue(value);
        } else {
            end(failure);
        }
    }

    /** Unless somebody else has completed the future. */
    private void tellIfSlow() {
        if (Watch.isSlow(start) && !waitsForOthers() && !isDone()) {
            Watch.slow(endpoint(), described(), start);
        }
    }

    /**
     * Completes the future if it is known what came of the operation, but the thread that knows has other things to do
     * first, such as what the program has appended to another one. Whether it was known.
     */
    public final boolean finishIfSettled() {
        boolean known = isSettled();
        if (known) {
            finish();
        }
        return known;
    }

    final boolean isSettled() {
        return phase == OVER && (boolean) SETTLED.getAcquire(this) && !isPostedAgain();
    }

    /** It has succeeded. */
    protected void finishValue(T result) {
        super.complete(result);
        tellReleased();
    }

    /** Completes the future, whatever becomes of the operation. */
    public boolean end(Throwable why) {
        tellIfSlow();
        boolean first = switch (why) {
            case Instead other -> super.complete(result(other));
            default -> super.completeExceptionally(why);
        };
        tellReleased();
        return first;
    }

    /** Until the provider has let go of it, also where it was given up. */
    @Override
    protected final boolean isLent() {
        int now = phase;
        return now == QUEUED || now == STARTING || now == POSTED;
    }

    @SuppressWarnings("unchecked")
    private T result(Instead other) {
        return (T) other.value;
    }

    @Override
    public boolean complete(T result) {
        if (isDone()) {
            return false;
        }
        Instead other = new Instead(result);
        if (giveUp(other)) {
            end(other);
        }
        return gave(result);
    }

    @Override
    public boolean completeExceptionally(Throwable why) {
        if (isDone()) {
            return false;
        }
        if (giveUp(why)) {
            // unless it was over before
            super.completeExceptionally(why);
        }
        return failedWith(why);
    }

    /** Whether it interrupts makes no difference: nobody is blocked. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return isCancelled();
        }
        completeExceptionally(new CancellationException(what() + ": cancelled"));
        return isCancelled();
    }

    /** The program does not want it any more. Whether its future may be ended, as far as that is not done. */
    private boolean giveUp(Throwable why) {
        return GivingUp.giveUp(this, why, progress());
    }

    /** It was given up, and the provider has not answered. */
    public final void endAsGivenUp() {
        end(givenUp);
    }

    /** How its peer is named in messages. */
    protected String towards() {
        return " with ";
    }

    /** With the peer, for messages. */
    @Override
    public final String described() {
        return peer == null ? what() : what() + (peer.isConnection() ? " on the connection with " : towards())
                + peer.address();
    }

    public final FabricException late() {
        return Errors.late(this, phase);
    }

    /** Given up for a result of the program's. */
    private static final class Instead extends CancellationException {
        private static final long serialVersionUID = 1L;
        private final transient Object value;

        private Instead(Object value) {
            this.value = value;
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
