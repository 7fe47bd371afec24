// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;

/** {@link Lending}, where it is only known afterwards whether somebody asks when the memory is the program's again. */
public abstract class LendingFuture<T> extends NodeFuture<T> implements Lending {
    /** Null unless somebody wants to know. */
    private volatile CompletableFuture<Void> released;

    protected LendingFuture(Progress progress) {
        super(progress);
    }

    /** Whether somebody else has memory of the program's. */
    protected abstract boolean isLent();

    @Override
    public final CompletableFuture<Void> released() {
        CompletableFuture<Void> one;
        synchronized (this) {
            one = released;
            if (one == null) {
                one = new NodeFuture<>(progress());
                released = one;
                whenComplete((done, failure) -> tellReleased());
            }
        }
        tellReleased();
        return one;
    }

    /** To be called when nothing is lent any more. */
    protected final void tellReleased() {
        CompletableFuture<Void> one = released;
        if (one != null && isOver() && !isLent()) {
            one.complete(null);
        }
    }

    /** Whether it is known how it ends: as a rule once it has. */
    protected boolean isOver() {
        return isDone();
    }
}
