// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

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

    private GivingUp() {
    }

    /** By the program. When this returns the operation is over, or will never be heard of again. */
    static void giveUp(Operation<?> operation, Throwable why, Progress progress) {
        for (int n = 1; !operation.isDone(); n++) {
            switch (operation.phase()) {
                case Operation.QUEUED -> {
                    if (operation.lane.flow.drop(operation, why)) {
                        return;
                    }
                }
                case Operation.POSTED -> {
                    operation.givenUpAt = Clock.now();
                    operation.givenUp = why;
                    if (cancel(operation)) {
                        awaitEnd(operation, progress);
                    } else if (!operation.finishIfSettled()) {
                        // it may be over already, which nobody has seen yet
                        progress.catchUp(Clock.after(GRACE));
                        operation.finishIfSettled();
                    }
                    return;
                }
                case Operation.OVER, Operation.REFUSED -> {
                    awaitEnd(operation, progress);
                    return;
                }
                default -> GivingWay.giveWay(n);
            }
        }
    }

    /** The same of many that the provider has, or is being given: they share the time it has to say so. */
    static void giveUp(List<Operation<?>> operations, Function<Operation<?>, Throwable> why, Progress progress) {
        List<Operation<?>> cancelled = new ArrayList<>();
        for (Operation<?> operation : operations) {
            for (int n = 1; isBeingStarted(operation); n++) {
                GivingWay.giveWay(n);
            }
            operation.givenUpAt = Clock.now();
            operation.givenUp = why.apply(operation);
            if (operation.isPosted() && cancel(operation)) {
                cancelled.add(operation);
            }
        }
        progress.catchUp(Clock.after(GRACE));
        long end = Clock.after(GRACE);
        while (!cancelled.isEmpty() && Clock.left(end) > 0) {
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
            operation.givenUpAt = Clock.now();
            operation.givenUp = operation.late();
            // also if it cannot be cancelled: it may be over already, which nobody has seen yet
            cancel(operation);
            return false;
        }
        return Clock.now() - operation.givenUpAt >= GRACE;
    }

    private static boolean cancel(Operation<?> operation) {
        try {
            return operation.endpoint().cancel(operation.context);
        } catch (FabricException | IllegalStateException cannot) {
            return false;
        }
    }

    private static void awaitEnd(Operation<?> operation, Progress progress) {
        long end = Clock.after(GRACE);
        while (!operation.isDone() && !operation.finishIfSettled() && Clock.left(end) > 0) {
            if (progress.poll() == 0) {
                Thread.yield();
            }
        }
    }
}
