// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Remaining;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.idle.IdleTimes;
import io.jfabric.internal.idle.Idling;
import io.jfabric.internal.life.StackRoom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** How threads wait for the futures of a node: each makes as much progress itself as it should. */
final class Waiting {
    /** How often a virtual thread looks for tasks for which its executor may have no other thread, in nanoseconds. */
    private static final long RARELY = 100_000_000;
    private static final long OFTEN = 1_000_000;

    private final Drive drive;
    private final Flow flow;
    private final Completing completing;
    private final IdleTimes idle;
    private final long spin;

    Waiting(Drive drive, IdleTimes idle) {
        this.drive = drive;
        this.flow = drive.flow();
        this.completing = drive.completing();
        this.idle = idle;
        this.spin = idle.spin();
    }

    /** With the node's engine; null if callers make all progress. */
    void await(EngineImpl engine, CompletableFuture<?> future, long end, boolean interruptible) {
        StackRoom.ensure(drive.polls());
        int depth = Nesting.enter();
        try {
            await(engine, future, end, interruptible, Nesting.isTooDeep(depth));
        } finally {
            Nesting.leave(depth);
        }
    }

    private void await(EngineImpl engine, CompletableFuture<?> future, long end, boolean interruptible,
            boolean aside) {
        boolean virtual = Thread.currentThread().isVirtual();
        boolean running = completing.isRunning();
        EngineImpl here = EngineImpl.ofThisThread();
        if (finishIfSettled(engine, future)) {
            return;
        }
        if (running && engine != null && virtual) {
            engine.wakeFromSleep();
            Remaining.handOver();
            helpNowAndThen(future, end, interruptible, aside);
        } else if (running) {
            // also if the node is closed: what fails then is handed to the executor
            drive(engine, future, end, interruptible, () -> poll(engine, here, aside) + help(aside), () -> false);
        } else if (here != null) {
            // what it waits for may depend on other nodes of this engine, even if its own is closed
            drive(engine, future, end, interruptible, () -> poll(engine, here, aside),
                    () -> here.nodes() == 0 && flow.isClosed());
        } else if (engine == null) {
            drive(null, future, end, interruptible, () -> drive.pollForWaiter(aside), flow::isClosed);
        } else if (virtual) {
            engine.wakeFromSleep();
        } else {
            spin(future, end, interruptible, aside);
            if (!future.isDone()) {
                engine.takeOver();
            }
        }
        if (!future.isDone()) {
            if (!Clock.isPast(end)) {
                Remaining.handOver();
            } else {
                Remaining.waits();
            }
        }
    }

    /**
     * Completes the future if its outcome is known to a thread that is busy with other callbacks. Not for one that
     * belongs to the program's executor, where the callbacks have to run; but if callers make all progress there may be
     * nobody except the one who waits.
     */
    private boolean finishIfSettled(EngineImpl engine, CompletableFuture<?> future) {
        return future instanceof Operation<?> operation
                && (engine == null || operation.isOwn() || completing.mayBeHere()) && operation.finishIfSettled();
    }

    /** In a virtual thread of the executor, which may have no other; usually the end of the future wakes it. */
    private void helpNowAndThen(CompletableFuture<?> future, long end, boolean interruptible, boolean aside) {
        Thread me = Thread.currentThread();
        boolean wakes = end == Clock.NEVER;
        if (wakes) {
            // not if the time is limited: such waits may be repeated, and each would append another callback
            future.whenComplete((value, failure) -> LockSupport.unpark(me));
        }
        boolean interrupted = false;
        while (!future.isDone() && !Clock.isPast(end) && !(interruptible && me.isInterrupted())) {
            interrupted |= !interruptible && Thread.interrupted();
            if (help(aside) == 0) {
                LockSupport.parkNanos(Math.min(wakes ? RARELY : OFTEN, Clock.left(end)));
            }
        }
        if (interrupted) {
            me.interrupt();
        }
    }

    /** Polls the node, and all nodes of the engine whose thread this is: nobody else drives those. */
    private int poll(EngineImpl engine, EngineImpl here, boolean aside) {
        int work = here == null ? 0 : here.poll(aside);
        return here != null && here == engine ? work : work + drive.pollForWaiter(aside);
    }

    private int help(boolean aside) {
        return aside ? completing.helpAside() : completing.help();
    }

    private void spin(CompletableFuture<?> future, long end, boolean interruptible, boolean aside) {
        long until = Math.min(end, Clock.after(spin));
        for (int i = 1; !future.isDone(); i++) {
            drive.pollForWaiter(aside);
            Thread.onSpinWait();
            if ((i & 15) == 0) {
                if (Clock.isPast(until) || interruptible && Thread.currentThread().isInterrupted()) {
                    return;
                }
                // what it waits for may be among what this thread has found
                Remaining.waits();
            }
        }
    }

    private void drive(EngineImpl engine, CompletableFuture<?> future, long end, boolean interruptible,
            IntSupplier poll, BooleanSupplier over) {
        Idling idling = new Idling(idle);
        // an engine has other nodes, too, and is not woken when another thread ends what it waits for
        boolean ofEngine = EngineImpl.ofThisThread() != null;
        boolean rest = true;
        boolean interrupted = false;
        while (!future.isDone() && !Clock.isPast(end) && !over.getAsBoolean()) {
            boolean worked = poll.getAsInt() > 0;
            // also while there is much to do for others, which may never end
            rest = rest && (future.isDone() || Remaining.waits());
            if (worked) {
                idling.reset();
            } else if (!future.isDone() && !finishIfSettled(engine, future)) {
                if (interruptible && Thread.currentThread().isInterrupted()) {
                    break;
                }
                // an interrupted thread would not sleep
                interrupted |= !interruptible && Thread.interrupted();
                long next = flow.isClosed() ? Clock.NEVER : flow.earliest();
                long longest = Math.min(Clock.left(end), Clock.left(next));
                idling.idle(rest || ofEngine ? Math.min(longest, Remaining.STEP) : longest);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
