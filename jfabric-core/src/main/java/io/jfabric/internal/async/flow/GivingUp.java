// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.life.GivingWay;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Ends operations before their provider does: those that the program gives up, and those that are late. */
final class GivingUp {
    /** How long the thread that gives an operation up waits for the provider to report its end, in nanoseconds. */
    private static final long GRACE = 5_000_000;
    /** How long it waits for its turn to poll: another thread may have lost its processor, or copy a long message. */
    private static final long TURN = 1_000_000_000;

    /** What the provider says to a cancel. How the operation has ended is in the queue, or will be. */
    private enum Answer {
        ASKED,
        /** The operation is over, or cannot be cancelled any more. */
        UNKNOWN,
        /** The provider cannot cancel such operations, or is closed. */
        CANNOT
    }

    private GivingUp() {
    }

    /**
     * Gives up an operation for the program. When this returns it is over, or will never be heard of again, so that its
     * future may be ended. The exception is a receive that has its message, or may have it: that must not be ended.
     *
     * @return false for such a receive
     */
    static boolean giveUp(Operation<?> operation, Throwable why, Progress progress) {
        for (int n = 1; !operation.isDone(); n++) {
            switch (operation.phase()) {
                case Operation.QUEUED -> {
                    if (operation.lane.flow.drop(operation, why)) {
                        return true;
                    }
                }
                case Operation.POSTED -> {
                    return giveUpPosted(operation, why, progress);
                }
                case Operation.OVER, Operation.REFUSED -> {
                    awaitEnd(operation, progress);
                    return true;
                }
                default -> GivingWay.giveWay(n);
            }
        }
        return true;
    }

    private static boolean giveUpPosted(Operation<?> operation, Throwable why, Progress progress) {
        Answer answer = hold(operation, why, false);
        long held = operation.heldUntil;
        if (held != 0) {
            progress.note(held);
            // the outcome of the cancel is usually in the queue by now, even if another thread is about to read it
            progress.pollOnce(Clock.after(TURN));
            awaitEnd(operation, progress);
            return operation.isDone();
        }
        if (answer == Answer.ASKED) {
            awaitEnd(operation, progress);
        } else if (!operation.finishIfSettled()) {
            // it may be over, and just not have been found in the queue
            progress.catchUp(Clock.after(GRACE));
            operation.finishIfSettled();
        }
        return true;
    }

    private static void mark(Operation<?> operation, Throwable why, boolean isLate) {
        operation.givenUpAt = Clock.now();
        operation.isLate = isLate;
        operation.givenUp = why;
    }

    /**
     * Gives up an operation. If it takes messages, for a long time only the provider ends it then: a message that it
     * has taken, or is just taking, would be lost otherwise, without its sender knowing.
     */
    private static Answer hold(Operation<?> operation, Throwable why, boolean isLate) {
        // first: the polling thread soon abandons what is given up but not held, and the cancel may take long
        if (operation.takesMessages() && operation.heldUntil == 0) {
            operation.heldUntil = Clock.after(operation.lane.flow.patience());
        }
        mark(operation, why, isLate);
        Answer answer = cancel(operation);
        if (answer == Answer.CANNOT) {
            operation.heldUntil = 0;
        }
        return answer;
    }

    /** Cancels an operation that was posted again while it was being given up. */
    static void cancelAgain(Operation<?> operation) {
        cancel(operation);
    }

    /** Gives up many that the provider has, or is being given: they share the time that it has to answer. */
    static void giveUp(List<Operation<?>> operations, Function<Operation<?>, Throwable> why, Progress progress) {
        List<Operation<?>> cancelled = new ArrayList<>();
        for (Operation<?> operation : operations) {
            for (int n = 1; isBeingStarted(operation); n++) {
                GivingWay.giveWay(n);
            }
            mark(operation, why.apply(operation), false);
            if (operation.isPosted() && cancel(operation) == Answer.ASKED) {
                cancelled.add(operation);
            }
        }
        progress.catchUp(Clock.after(GRACE));
        long end = Clock.after(GRACE);
        while (!cancelled.isEmpty() && !Clock.isPast(end)) {
            cancelled.removeIf(operation -> operation.isDone() || operation.isSettled());
            if (!cancelled.isEmpty() && progress.poll() == 0) {
                Thread.yield();
            }
        }
        finish(operations, progress.completing());
    }

    private static void finish(List<Operation<?>> operations, Completing completing) {
        boolean isForAll = completing.mayBeHere();
        List<Runnable> here = new ArrayList<>();
        List<Runnable> programs = new ArrayList<>();
        for (Operation<?> operation : operations) {
            (isForAll || operation.isOwn() ? here : programs).add(() -> {
                if (!operation.finishIfSettled()) {
                    operation.end(operation.givenUp);
                }
            });
        }
        Completing.runAll(here);
        if (!programs.isEmpty()) {
            completing.run(() -> Completing.runAll(programs));
        }
    }

    private static boolean isBeingStarted(Operation<?> operation) {
        int phase = operation.phase();
        return (phase == Operation.NEW || phase == Operation.STARTING) && !operation.isDone();
    }

    /** After the deadline, in the thread that polls: whether the provider keeps it, but nobody waits any longer. */
    static boolean isAbandoned(Operation<?> operation) {
        if (operation.givenUp == null) {
            Answer answer = hold(operation, operation.late(), true);
            if (answer == Answer.CANNOT && operation.takesMessages() && operation.isLate) {
                operation.givenUp = Errors.notCancelled(operation);
            }
            // not yet, even if it cannot be cancelled: it may be over, and just not have been found in the queue
            return false;
        }
        long held = operation.heldUntil;
        if (held == 0) {
            return Clock.now() - operation.givenUpAt >= GRACE;
        }
        boolean isAbandoned = Clock.isPast(held);
        if (isAbandoned && operation.isLate) {
            operation.givenUp = Errors.incomplete(operation);
        }
        return isAbandoned;
    }

    private static Answer cancel(Operation<?> operation) {
        try {
            return operation.endpoint().cancel(operation.context) ? Answer.ASKED : Answer.UNKNOWN;
        } catch (FabricException refusal) {
            return refusal.error() == FabricError.ENOSYS ? Answer.CANNOT : Answer.UNKNOWN;
        } catch (IllegalStateException closedOrUsed) {
            // in use by another thread, where only one may use it: then it may have a message like any other
            return operation.endpoint().isOpen() ? Answer.UNKNOWN : Answer.CANNOT;
        }
    }

    private static void awaitEnd(Operation<?> operation, Progress progress) {
        long end = Clock.after(GRACE);
        while (!operation.isDone() && !operation.finishIfSettled() && !Clock.isPast(end)) {
            if (progress.poll() == 0) {
                Thread.yield();
            }
        }
    }
}
