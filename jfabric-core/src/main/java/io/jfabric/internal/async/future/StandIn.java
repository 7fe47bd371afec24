// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.Objects;
import java.util.concurrent.CancellationException;

/** What stands for an operation: who cancels or completes this gives that up. */
abstract class StandIn<T> extends LendingFuture<T> {
    /** What ends a future in place of its operation. */
    record Instead<T>(T value, Throwable failure) {
    }

    StandIn(Progress progress) {
        super(progress);
    }

    /** Gives it up, and completes this with that, now or when the operation has ended. */
    abstract void giveUp(Instead<T> given);

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
        if (isDone()) {
            return false;
        }
        giveUp(new Instead<>(null, Objects.requireNonNull(why)));
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
