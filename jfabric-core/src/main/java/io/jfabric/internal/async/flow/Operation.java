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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;

/**
 * An operation and its future in one object. It waits in a {@link Lane}, then is with the provider under a number from
 * {@link Slots}, then is over. Its future is done then, or earlier if it was given up and the provider does not let go.
 */
public abstract class Operation<T> extends LendingFuture<T> {
    /** Not seen by others yet. */
    protected static final int NEW = 0;
    /** In the lane. */
    protected static final int QUEUED = 1;
    /** First in the lane; somebody is trying to start it. */
    protected static final int STARTING = 2;
    /** With the provider. */
    protected static final int POSTED = 3;
    /** Refused when it was to be started. */
    protected static final int REFUSED = 5;
    /** Neither in a lane nor with the provider. */
    protected static final int OVER = 4;
    /** How soon after the end of a hold the thread that polls has noticed it, in nanoseconds. */
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
    /** The number by which the provider knows it; from {@link Slots}. */
    protected long context;
    /** In a lane, or in a list of operations that are over. */
    Operation<?> next;
    /** In a lane. */
    Operation<?> previous;
    /** Why it was given up, null if it was not; its end is then neither a success nor a failure of its own. */
    volatile Throwable givenUp;
    /** When it was given up: a provider that does not answer is not waited for much longer. */
    long givenUpAt;
    /** Until when only the provider may end it although it was given up, as it may have a message; 0 if not held. */
    volatile long heldUntil;
    /** Whether it was given up only because its deadline had passed. */
    boolean isLate;
    /** Whether somebody is to end its future although the provider keeps it; for the thread that polls. */
    boolean abandoned;
    /** 0 if nobody records slow operations. */
    private final long start = Watch.startOfOperation();
    private volatile int phase;
    private T value;
    private Throwable failure;
    /** Whether one of the two above is the outcome; written after them. */
    private boolean settled;

    protected Operation(Progress progress, Lane lane, Counterpart peer, long deadline) {
        super(progress);
        this.lane = lane;
        this.peer = peer;
        this.deadline = deadline;
    }

    /** The endpoint that can cancel it. */
    public abstract Endpoint endpoint();

    protected boolean isTagged() {
        return false;
    }

    /** Whether it accesses memory of the peer, which may refuse that. */
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

    /** Whether it is for the node's own messages: then the program's executor must not end it. */
    public boolean isOwn() {
        return false;
    }

    /** Whether it is posted again when it has succeeded, so that this is not its end. */
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

    /** Counts the bytes that it has moved; called like {@link #result}. */
    public abstract void count(Moved moved, Completion completion);

    /** The value of its future; called by the thread that polls, while it has the completion. */
    protected abstract T result(Completion completion);

    /** The other side; null if there is none in particular. */
    public final Counterpart peer() {
        return peer;
    }

    public final boolean isWith(Counterpart one) {
        return peer == one;
    }

    public final long deadline() {
        return deadline;
    }

    /** When it must be looked at: at its deadline, or at the end of its hold. */
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

    /** Makes progress: there may be nobody else, if callers make all of it. */
    @Override
    protected final void awaitHeld() {
        long end = endOfHold();
        if (end != 0 && !isDone()) {
            progress().await(this, end, false);
        }
    }

    /** Whether it is a receive; valid once it has a context. */
    public final boolean receives() {
        return Slots.isReceive(context);
    }

    /** Whether the provider has it, or may be about to get it. */
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

    /** Makes it over unless it is, or was stopped; if true, the caller must end it. */
    final boolean claimEnd() {
        int now = phase;
        while (now != OVER && now != REFUSED && !change(now, OVER)) {
            now = phase;
        }
        return now != OVER && now != REFUSED;
    }

    /** The provider has completed it. Does not complete the future yet: {@link #finish} does, outside of all locks. */
    public final void succeeded(Completion completion, Moved moved) {
        try {
            // before it is settled: whoever waits for it may complete it then
            count(moved, completion);
            value = result(completion);
        } catch (Throwable unreadable) {
            // the thread that polls works for everybody
            failure = unreadable;
        }
        SETTLED.setRelease(this, true);
        // a release is enough: those who must know at once are told by the future
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

    /** The provider has reported a failure, and does not use the buffers any more. In the thread that polls. */
    protected void letGo() {
        // usually they are the program's
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

    /** Reports an operation that took long, unless somebody else has completed the future. */
    private void tellIfSlow() {
        if (Watch.isSlow(start) && !waitsForOthers() && !isDone()) {
            Watch.slow(endpoint(), described(), start);
        }
    }

    /**
     * Completes the future if the outcome is known, while the thread that knows it is busy with other things, such as
     * what the program has appended to another future. Returns whether it was known.
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

    /** Completes the future of an operation that has succeeded. */
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

    /** True until the provider has let go of it, even if it was given up. */
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
        Objects.requireNonNull(why);
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

    /** Gives it up for the program. Returns whether its future may be ended, unless it is done. */
    private boolean giveUp(Throwable why) {
        return GivingUp.giveUp(this, why, progress());
    }

    /** Ends it if it has not reached the provider, but waits in its lane. */
    public final void drop(Throwable why) {
        lane.flow.drop(this, why);
    }

    /** Gives up operations of one lane that have begun; they share the time that the provider has to answer. */
    public static void giveUp(List<? extends Operation<?>> several, Throwable why) {
        several.forEach(operation -> operation.drop(why));
        List<Operation<?>> posted = new ArrayList<>(several);
        posted.removeIf(Operation::isDone);
        if (!posted.isEmpty()) {
            Operation<?> one = posted.getFirst();
            one.lane.flow.giveUp(posted, operation -> why, one.progress());
        }
    }

    /** Ends the future of an operation that was given up, as the provider has not answered. */
    public final void endAsGivenUp() {
        end(givenUp);
    }

    /** The word before the peer's address in messages. */
    protected String towards() {
        return " with ";
    }

    /** What it is, and with which peer, for messages. */
    @Override
    public final String described() {
        return peer == null ? what() : what() + (peer.isConnection() ? " on the connection with " : towards())
                + peer.address();
    }

    public final FabricException late() {
        return Errors.late(this, phase);
    }

    /** Why it was given up: the program has completed the future with a result of its own. */
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
