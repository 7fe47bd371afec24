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

/** A service that ends in order: it takes no more calls, and those that it has are waited for. */
final class Drain {
    private final BooleanSupplier nothingIsLeft;
    private final NodeFuture<Void> over;
    private final NodeFuture<Boolean> closed;
    private volatile boolean begun;
    private volatile boolean cut;

    /** Who waits makes the progress of the node. */
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

    /** Returns when nothing is left, the service is closed, it is too late, or the thread is interrupted. */
    void await(long end) {
        await(over, end);
    }

    /** Something is about to end unanswered, as the service is closed. */
    void cut() {
        cut = true;
    }

    /** The service takes nothing more, in whichever way that came about. Whether anything is, or was, cut off. */
    boolean cutsOff() {
        // once nothing was left only calls come that are refused
        if (!over.isDone() && !nothingIsLeft.getAsBoolean()) {
            cut = true;
        }
        over.complete(null);
        return cut;
    }

    /** All that belongs to closing it is done, and this is what came of it. */
    void closed(boolean wasInOrder) {
        closed.complete(wasInOrder);
    }

    /** When that is so. */
    CompletableFuture<Void> whenClosed() {
        return closed.thenAccept(wasInOrder -> { });
    }

    /** For who finds that another closes it; false also if that takes too long. */
    boolean awaitClosed(long end) {
        return await(closed, end) && closed.resultNow();
    }

    /** Whether it is done, however. */
    static boolean await(CompletableFuture<?> future, long end) {
        try {
            future.get(Math.max(0, Clock.left(end)), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // that is for who asked
        }
        return future.isDone();
    }
}
