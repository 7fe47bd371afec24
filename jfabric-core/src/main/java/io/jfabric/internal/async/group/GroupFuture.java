// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.future.Lending;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.future.Progress;
import java.util.concurrent.CompletableFuture;

/** That of a collective operation, which has the program's buffers until none of its messages uses them. */
final class GroupFuture extends NodeFuture<Void> implements Lending {
    private volatile boolean free;
    private volatile CompletableFuture<Void> released;

    GroupFuture(Progress progress) {
        super(progress);
    }

    /** No message uses the buffers any more. */
    void free() {
        free = true;
        tellReleased();
    }

    @Override
    public CompletableFuture<Void> released() {
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

    private void tellReleased() {
        CompletableFuture<Void> one = released;
        if (one != null && free && isDone()) {
            one.complete(null);
        }
    }
}
