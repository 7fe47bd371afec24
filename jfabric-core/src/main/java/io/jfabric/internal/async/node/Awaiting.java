// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Seconds;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a future, and gives up its operation if the deadline passes. */
final class Awaiting {
    private Awaiting() {
    }

    static <T> T await(CompletableFuture<T> future, Duration deadline, Progress progress) {
        Objects.requireNonNull(future, "Node.await: the future is null");
        long nanos = Clock.nanos(Objects.requireNonNull(deadline, "Node.await: the deadline is null"));
        try {
            return waitingFor(future, progress).get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            future.cancel(true);
            if (isHeld(future)) {
                // its message is arriving, or the provider has been too busy to report the cancel
                settle((NodeFuture<?>) future);
            }
            return late(future, what(future) + "not done within " + Seconds.text(deadline)
                    + (isDerived(future) ? "; if this future was derived from another, the operation of that goes on: "
                            + "give that one up, or give it a deadline (Node.within)" : ""));
        } catch (InterruptedException e) {
            throw interrupted(future);
        } catch (ExecutionException e) {
            throw unwrapped(e.getCause());
        } catch (CancellationException e) {
            throw inThisThread(e.getCause() instanceof CancellationException cancelled ? cancelled : e);
        }
    }

    /** Not for other futures, which may refuse to be given up, too: they may end at any time, or never. */
    private static boolean isHeld(CompletableFuture<?> future) {
        return future instanceof NodeFuture<?> known && !known.isDone() && known.endOfHold() != 0;
    }

    private static boolean isDerived(CompletableFuture<?> future) {
        return !(future instanceof NodeFuture) || future.getClass() == NodeFuture.class;
    }

    private static void settle(NodeFuture<?> held) {
        try {
            held.get(Math.max(0, Clock.left(held.endOfHold())), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw interrupted(held);
        } catch (ExecutionException | CancellationException | TimeoutException over) {
            // the caller reads it from the future itself
        }
    }

    private static FabricException interrupted(CompletableFuture<?> future) {
        Thread.currentThread().interrupt();
        future.cancel(true);
        return FabricException.of("Node.await", FabricError.EINTR.code(), what(future) + "the thread is interrupted"
                + (isHeld(future) ? "; a message may be arriving, which the future will have then" : ""));
    }

    /** Wraps a future, such as that of allOf, whose waiters would not make progress. */
    private static <T> CompletableFuture<T> waitingFor(CompletableFuture<T> future, Progress progress) {
        if (future instanceof NodeFuture<T> || future.isDone()) {
            return future;
        }
        NodeFuture<Void> done = new NodeFuture<>(progress);
        done.complete(null);
        return done.thenCombine(future, (nothing, value) -> value);
    }

    private static String what(CompletableFuture<?> future) {
        String what = future instanceof NodeFuture<?> known ? known.described() : "";
        return what.isEmpty() ? "" : what + ": ";
    }

    /** Throws that it is late, unless the operation was done while it was given up. */
    private static <T> T late(CompletableFuture<T> future, String what) {
        if (!future.isDone() || future.isCancelled()) {
            throw FabricException.of("Node.await", FabricError.ETIMEDOUT.code(), what);
        }
        if (future.isCompletedExceptionally()) {
            throw unwrapped(future.exceptionNow());
        }
        return future.resultNow();
    }

    /** An exception to throw here, for a failure that was thrown elsewhere and may be thrown to others as well. */
    private static RuntimeException unwrapped(Throwable failure) {
        return switch (NodeFuture.cause(failure)) {
            case FabricException known -> known.inThisThread();
            case CancellationException cancelled -> inThisThread(cancelled);
            case Throwable why -> new CompletionException(why);
        };
    }

    private static CancellationException inThisThread(CancellationException cancelled) {
        CancellationException here = new CancellationException(cancelled.getMessage());
        here.initCause(cancelled);
        return here;
    }
}
