// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.Objects;
import java.util.concurrent.CancellationException;

/** A future that stands for an operation: cancelling or completing it gives the operation up. */
public abstract class StandIn<T> extends LendingFuture<T> {
    /** What the program wants in place of the operation's result. */
    protected record Instead<T>(T value, Throwable failure) {
    }

    protected StandIn(Progress progress) {
        super(progress);
    }

    /** Gives up the operation, and completes this with {@code given}, now or when the operation has ended. */
    protected abstract void giveUp(Instead<T> given);

    @Override
    public final boolean complete(T value) {
        if (isDone()) {
            return false;
        }
        giveUp(new Instead<>(value, null));
        return gave(value);
    }

    @Override
    public final boolean completeExceptionally(Throwable why) {
        Objects.requireNonNull(why);
        if (isDone()) {
            return false;
        }
        giveUp(new Instead<>(null, why));
        return failedWith(why);
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        if (!isDone()) {
            completeExceptionally(new CancellationException(described() + ": cancelled"));
        }
        return isCancelled();
    }
}
