// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a function makes of the result of an operation, for which this stands: that is given up with it. */
public final class Following<T, U> extends LendingFuture<U> {
    private final CompletableFuture<T> operation;
    /** Done just before this, but not before the function is over, whoever ends this. */
    private final CompletableFuture<U> applied;

    /** Of an operation that is {@link Lending}. */
    public Following(Progress progress, CompletableFuture<T> operation, Function<? super T, ? extends U> function) {
        super(progress);
        this.operation = operation;
        applied = operation.thenApply(value -> isDone() ? null : function.apply(value));
        applied.whenComplete((value, failure) -> {
            // before what the program has appended, which may wait for it
            tellReleased();
            completeNow(value, failure);
        });
        // the provider may write for longer than the function takes, as after a cancel
        ((Lending) operation).released().thenRun(this::tellReleased);
        // however it was completed: a receive that nobody waits for would take a message; nothing to cancel once it has
        whenComplete((value, failure) -> operation.cancel(false));
    }

    @Override
    protected boolean isLent() {
        return !((Lending) operation).released().isDone();
    }

    /** Not while the function runs, which may use the memory. */
    @Override
    protected boolean isOver() {
        return applied.isDone();
    }

    @Override
    public String described() {
        return operation instanceof NodeFuture<?> known ? known.described() : "";
    }
}
