// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.future.Progress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The end of a peer: one future for all who ask, as copies would stay with the peer as long as both live. So only the
 * node may complete it.
 */
final class Ended extends NodeFuture<Void> {
    Ended(Progress progress) {
        super(progress);
    }

    @Override
    public boolean complete(Void value) {
        return false;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return false;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }

    @Override
    public void obtrudeValue(Void value) {
        throw shared();
    }

    @Override
    public void obtrudeException(Throwable failure) {
        throw shared();
    }

    private static UnsupportedOperationException shared() {
        return new UnsupportedOperationException("Peer.ended: the future is everybody's; use a copy() of it");
    }

    /** A copy that is done does not stay with this: {@code anyOf} lets go of its other futures then. */
    @Override
    public CompletableFuture<Void> copy() {
        CompletableFuture<Void> copy = newIncompleteFuture();
        CompletableFuture.anyOf(this, copy).whenComplete((done, why) -> {
            if (why == null) {
                copy.complete(null);
            } else {
                copy.completeExceptionally(why);
            }
        });
        return copy;
    }

    @Override
    public CompletableFuture<Void> orTimeout(long timeout, TimeUnit unit) {
        return copy().orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<Void> completeOnTimeout(Void value, long timeout, TimeUnit unit) {
        return copy().completeOnTimeout(value, timeout, unit);
    }

    @Override
    public CompletableFuture<Void> completeAsync(Supplier<? extends Void> supplier, Executor executor) {
        return copy().completeAsync(supplier, executor);
    }
}
