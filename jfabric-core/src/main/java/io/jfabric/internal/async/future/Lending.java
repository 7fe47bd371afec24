// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A future of something that has memory of the program. */
public interface Lending {
    /** Done when the memory is the program's again: with the future or later, never with a failure. */
    CompletableFuture<Void> released();

    /** Whether it is a future of that node. */
    boolean isOf(Progress node);

    /** Checks that this is the future of an operation of that node. */
    static <T> NodeFuture<T> operation(String what, CompletableFuture<T> future, Progress node) {
        Objects.requireNonNull(future, () -> what + ": the future is null");
        if (future instanceof Lending own && own.isOf(node)) {
            return (NodeFuture<T>) future;
        }
        throw new IllegalArgumentException(what + ": " + future + " is not the future of an operation of this "
                + "node; give the one that send, receive, read, write, an atomic, a call or an operation of a group "
                + "returned, not one derived from it by other than Node.thenApply");
    }
}
