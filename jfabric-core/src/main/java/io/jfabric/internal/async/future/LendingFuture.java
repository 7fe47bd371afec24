// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;

/** {@link Lending}, at no cost unless somebody asks when the memory is the program's again. */
public abstract class LendingFuture<T> extends NodeFuture<T> implements Lending {
    /** Null unless somebody has asked. */
    private volatile CompletableFuture<Void> released;

    protected LendingFuture(Progress progress) {
        super(progress);
    }

    /** Whether something still has the program's memory. */
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

    /** To be called when nothing may be lent any more. */
    protected final void tellReleased() {
        CompletableFuture<Void> one = released;
        if (one != null && isOver() && !isLent()) {
            one.complete(null);
        }
    }

    /** Whether its outcome is known: usually once it is done. */
    protected boolean isOver() {
        return isDone();
    }
}
