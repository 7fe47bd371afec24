// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a function makes of an operation's result. Stands for the operation, which is given up with it. */
public final class Following<T, U> extends StandIn<U> {
    private final NodeFuture<T> operation;
    /** Done just before this, and not before the function is over, whoever ends this. */
    private final CompletableFuture<U> applied;
    /** How the program has ended this instead; null if it has not. */
    private volatile Instead<U> instead;
    /** Whether the function has got the result, which then is not lost, whatever becomes of this. */
    private volatile boolean begun;

    /** The operation must be {@link Lending}. */
    public Following(NodeFuture<T> operation, Function<? super T, ? extends U> function) {
        super(operation.progress());
        this.operation = operation;
        applied = operation.thenApply(value -> {
            begun = true;
            return function.apply(value);
        });
        applied.whenComplete((value, failure) -> {
            // before what the program has appended, which may wait for it
            tellReleased();
            Instead<U> given = operation.isCancelled() ? instead : null;
            if (given == null) {
                completeNow(value, failure);
            } else {
                completeNow(given.value(), given.failure());
            }
        });
        // the provider may write for longer than the function runs, as after a cancel
        ((Lending) operation).released().thenRun(this::tellReleased);
    }

    /** If the operation has a message, or may have one, this still ends with that: nobody else would hear of it. */
    @Override
    protected void giveUp(Instead<U> given) {
        instead = given;
        operation.cancel(false);
        // not only by the thread that ends the operation: that may still be about to, when this returns
        if (begun || operation.isCancelled()) {
            completeNow(given.value(), given.failure());
        }
    }

    @Override
    protected boolean isLent() {
        return !((Lending) operation).released().isDone();
    }

    /** Not while the function runs, as it may use the memory. */
    @Override
    protected boolean isOver() {
        return applied.isDone();
    }

    @Override
    public long endOfHold() {
        return operation.endOfHold();
    }

    @Override
    protected void awaitHeld() {
        operation.awaitHeld();
    }

    @Override
    public String described() {
        return operation.described();
    }
}
