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

/** Ends operations before their provider does: what the program wants no more, and what is late. */
final class GivingUp {
    /** For how long the thread that gives an operation up waits for the provider to say so, in nanoseconds. */
    private static final long GRACE = 5_000_000;
    /** For how long it waits for its turn to look: who polls may have lost its processor, or copy a long message. */
    private static final long TURN = 1_000_000_000;

    /** What the provider says to a cancel. What comes of the operation is in the queue, or will be. */
    private enum Answer {
        ASKED,
        /** It is over, or cannot be cancelled any more. */
        UNKNOWN,
        /** It cannot cancel such operations, or is closed. */
        CANNOT
    }

    private GivingUp() {
    }

    /**
     * By the program. When this returns the operation is over, or its future may be ended and the operation will never
     * be heard of again: except for a receive that has its message, or may have it. That is not to be ended.
     *
     * @return false of such a receive
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
            // whether it was cancelled is in the queue by now as a rule, whoever is about to read it
            progress.pollOnce(Clock.after(TURN));
            awaitEnd(operation, progress);
            return operation.isDone();
        }
        if (answer == Answer.ASKED) {
            awaitEnd(operation, progress);
        } else if (!operation.finishIfSettled()) {
            // it may be over already, which nobody has seen yet
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
     * Gives it up. If it takes messages only the provider's word ends it then, for long: one that it has taken, or is
     * just taking, would be lost otherwise, and its sender knows nothing of that.
     */
    private static Answer hold(Operation<?> operation, Throwable why, boolean isLate) {
        // first: who polls sees that it was given up, and this thread may take long to ask the provider
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

    /** It was posted once more while it was given up. */
    static void cancelAgain(Operation<?> operation) {
        cancel(operation);
    }

    /** The same of many that the provider has, or is being given: they share the time it has to say so. */
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

    /** The deadline has passed; in the thread that polls. Whether the provider keeps it, but nobody waits for it. */
    static boolean isAbandoned(Operation<?> operation) {
        if (operation.givenUp == null) {
            Answer answer = hold(operation, operation.late(), true);
            if (answer == Answer.CANNOT && operation.takesMessages() && operation.isLate) {
                operation.givenUp = Errors.notCancelled(operation);
            }
            // also if it cannot be cancelled: it may be over already, which nobody has seen yet
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
            // another thread may be using what is for one at a time: then it may have a message as any other
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
