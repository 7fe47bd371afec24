// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** A service that ends in order: it takes no more calls, and waits for those it has. */
final class Drain {
    private final BooleanSupplier nothingIsLeft;
    private final NodeFuture<Void> over;
    private final NodeFuture<Boolean> closed;
    private volatile boolean begun;
    private volatile boolean cut;

    /** Whoever waits makes the progress of the node. */
    Drain(BooleanSupplier nothingIsLeft, Progress progress) {
        this.nothingIsLeft = nothingIsLeft;
        this.over = new NodeFuture<>(progress);
        this.closed = new NodeFuture<>(progress);
    }

    /** Whether no more calls are to be taken. */
    boolean hasBegun() {
        return begun;
    }

    void begin() {
        begun = true;
        look();
    }

    /** A call has ended. */
    void look() {
        if (begun && nothingIsLeft.getAsBoolean()) {
            over.complete(null);
        }
    }

    /** Waits until nothing is left, the service is closed, the time is over, or the thread is interrupted. */
    void await(long end) {
        await(over, end);
    }

    /** Something is about to end unanswered because the service is closed. */
    void cut() {
        cut = true;
    }

    /** The service takes nothing more, however that came about. Returns whether anything is, or was, cut off. */
    boolean cutsOff() {
        // once nothing was left, any call that came was refused
        if (!over.isDone() && !nothingIsLeft.getAsBoolean()) {
            cut = true;
        }
        over.complete(null);
        return cut;
    }

    /** Closing is complete, with this result. */
    void closed(boolean wasInOrder) {
        closed.complete(wasInOrder);
    }

    /** Done when closing is complete. */
    CompletableFuture<Void> whenClosed() {
        return closed.thenAccept(wasInOrder -> { });
    }

    /** For whoever finds that another thread is closing it; false also if that takes too long. */
    boolean awaitClosed(long end) {
        return await(closed, end) && closed.resultNow();
    }

    /** Whether the future is done, however it ended. */
    static boolean await(CompletableFuture<?> future, long end) {
        try {
            future.get(Math.max(0, Clock.left(end)), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // that is for whoever asked
        }
        return future.isDone();
    }
}
