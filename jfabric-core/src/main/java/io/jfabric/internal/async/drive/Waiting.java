// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Remaining;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.idle.IdleTimes;
import io.jfabric.internal.idle.Idling;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** How threads wait for the futures of a node: each makes as much progress itself as it should. */
final class Waiting {
    /** How often a virtual thread looks for what its executor may have no other thread for. */
    private static final long RARELY = 100_000_000;

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

    /** With the engine of the node; null if callers make all progress. */
    void await(EngineImpl engine, CompletableFuture<?> future, long end, boolean interruptible) {
        while (!future.isDone() && Clock.left(end) > 0 && Remaining.completeOne()) {
            Thread.onSpinWait();
        }
        boolean running = completing.isRunning();
        if (running && (engine == null || !Thread.currentThread().isVirtual())) {
            // also of a node that is closed: who closes it hands to the executor what fails
            drive(future, end, interruptible, this::pollAndComplete, () -> false);
        } else if (running) {
            engine.wakeFromSleep();
            helpNowAndThen(future, end);
        } else if (engine == null) {
            drive(future, end, interruptible, drive::pollForWaiter, flow::isClosed);
        } else if (engine.isEngineThread()) {
            // what it waits for may depend on other nodes, although its own is closed
            drive(future, end, interruptible, engine::poll, () -> engine.nodes() == 0);
        } else if (Thread.currentThread().isVirtual()) {
            engine.wakeFromSleep();
        } else {
            spin(future, end);
            if (!future.isDone()) {
                engine.takeOver();
            }
        }
    }

    /** In a thread of the executor, which may have no other. */
    private int pollAndComplete() {
        return drive.pollForWaiter() + completing.help();
    }

    /** In a virtual thread of the executor, which may have no other; as a rule the end of the future wakes it. */
    private void helpNowAndThen(CompletableFuture<?> future, long end) {
        Thread me = Thread.currentThread();
        future.whenComplete((value, failure) -> LockSupport.unpark(me));
        while (!future.isDone() && Clock.left(end) > 0 && !me.isInterrupted()) {
            if (completing.help() == 0) {
                LockSupport.parkNanos(Math.min(RARELY, Clock.left(end)));
            }
        }
    }

    private void spin(CompletableFuture<?> future, long end) {
        long until = Math.min(end, Clock.after(spin));
        for (int i = 1; !future.isDone(); i++) {
            drive.pollForWaiter();
            Thread.onSpinWait();
            if ((i & 15) == 0 && Clock.left(until) <= 0) {
                return;
            }
        }
    }

    private void drive(CompletableFuture<?> future, long end, boolean interruptible, IntSupplier poll,
            BooleanSupplier over) {
        Idling idling = new Idling(idle);
        boolean interrupted = false;
        while (!future.isDone() && Clock.left(end) > 0 && !over.getAsBoolean()) {
            if (poll.getAsInt() > 0) {
                idling.reset();
            } else if (!future.isDone()) {
                if (interruptible && Thread.currentThread().isInterrupted()) {
                    break;
                }
                // a thread that is interrupted does not sleep
                interrupted |= !interruptible && Thread.interrupted();
                long next = flow.isClosed() ? Clock.NEVER : flow.earliest();
                idling.idle(Math.min(Clock.left(end), Clock.left(next)));
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
