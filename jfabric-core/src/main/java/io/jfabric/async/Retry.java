// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.FabricException;
import io.jfabric.internal.idle.RetryImpl;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The loop that programs without a {@link Node} need around everything they post, with a deadline:
 * {@snippet :
 * Retry retry = Retry.within(Duration.ofSeconds(5), IdleStrategy.yielding());
 * retry.post(() -> endpoint.messages().send(buffer, peer, 1), queue, handler);
 * retry.await(() -> answered, queue, handler);
 * }
 * Immutable. Any thread may use it, but only one thread at a time may poll a queue.
 */
public sealed interface Retry permits RetryImpl {
    /**
     * Makes a retry loop.
     *
     * @param deadline how long each use may take; 0 to poll once, {@link NodeOptions#NO_DEADLINE} for as long as it
     *     takes
     * @param idle what it does between polls that find nothing; it never blocks on a file descriptor
     * @return the loop
     * @throws IllegalArgumentException if the deadline is negative
     */
    static Retry within(Duration deadline, IdleStrategy idle) {
        return RetryImpl.of(deadline, idle);
    }

    /**
     * Repeats an operation until the provider takes it, and polls in between.
     *
     * @param operation posts, and returns false if the provider is busy
     * @param queue what to poll: the one that the endpoint's completions go to
     * @param handler gets what completes meanwhile
     * @throws FabricException {@code FI_ETIMEDOUT} if the provider does not take it in time, {@code FI_EINTR} if the
     *     thread is interrupted, which it stays; what the operation throws is passed on
     */
    void post(BooleanSupplier operation, CompletionQueue queue, CompletionHandler handler);

    /**
     * Polls until something has happened.
     *
     * @param happened whether it has; such as a variable that the handler sets
     * @param queue what to poll
     * @param handler gets what completes
     * @throws FabricException {@code FI_ETIMEDOUT} if it does not happen in time, {@code FI_EINTR} if the thread is
     *     interrupted, which it stays
     */
    void await(BooleanSupplier happened, CompletionQueue queue, CompletionHandler handler);
}
