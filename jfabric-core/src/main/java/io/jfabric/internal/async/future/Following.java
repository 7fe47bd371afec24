// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a function makes of the result of an operation, for which this stands: that is given up with it. */
public final class Following<T, U> extends NodeFuture<U> implements Lending {
    private final CompletableFuture<T> operation;
    /** Done just before this, but not before the function is over, whoever ends this. */
    private final CompletableFuture<U> applied;
    /** Null unless somebody wants to know. */
    private volatile CompletableFuture<Void> released;

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
        // however it was completed: a receive that nobody waits for would take a message; nothing to cancel once it has
        whenComplete((value, failure) -> operation.cancel(false));
    }

    @Override
    public CompletableFuture<Void> released() {
        CompletableFuture<Void> one;
        synchronized (this) {
            one = released;
            if (one == null) {
                one = new NodeFuture<>(progress());
                released = one;
                ((Lending) operation).released().thenRun(this::tellReleased);
            }
        }
        tellReleased();
        return one;
    }

    /** Not while the function runs, which may use the memory. */
    private void tellReleased() {
        CompletableFuture<Void> one = released;
        if (one != null && applied.isDone() && ((Lending) operation).released().isDone()) {
            one.complete(null);
        }
    }

    @Override
    public String described() {
        return operation instanceof NodeFuture<?> known ? known.described() : "";
    }
}
