// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The end of a peer or group: one future for all who ask, as copies would stay with it as long as both live. So only
 * the node may complete it.
 */
public final class Ended extends NodeFuture<Void> {
    private final String name;

    /** With the method that gives it, for exceptions. */
    public Ended(Progress progress, String name) {
        super(progress);
        this.name = name;
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

    private UnsupportedOperationException shared() {
        return new UnsupportedOperationException(name + ": the future is everybody's; use a copy() of it");
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
