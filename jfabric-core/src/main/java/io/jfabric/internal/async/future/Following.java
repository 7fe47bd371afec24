// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a function makes of the result of an operation, for which this stands: that is given up with it. */
public final class Following<T, U> extends StandIn<U> {
    private final NodeFuture<T> operation;
    /** Done just before this, but not before the function is over, whoever ends this. */
    private final CompletableFuture<U> applied;
    /** What the program wants instead; null for nothing. */
    private volatile Instead<U> instead;
    /** Whether the function has the result, which is not lost whatever becomes of this. */
    private volatile boolean begun;

    /** Of an operation that is {@link Lending}. */
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
        // the provider may write for longer than the function takes, as after a cancel
        ((Lending) operation).released().thenRun(this::tellReleased);
    }

    /** Unless the operation has what came, or may have: nobody else would hear of that. */
    @Override
    void giveUp(Instead<U> given) {
        instead = given;
        operation.cancel(false);
        if (begun) {
            completeNow(given.value(), given.failure());
        }
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
