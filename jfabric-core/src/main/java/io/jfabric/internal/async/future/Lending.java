// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;

/** A future of something that has memory of the program's. */
public interface Lending {
    /** Done when the memory is the program's again: with the future or later, never with a failure. */
    CompletableFuture<Void> released();

    /** Whether it is a future of that node's. */
    boolean isOf(Progress node);
}
