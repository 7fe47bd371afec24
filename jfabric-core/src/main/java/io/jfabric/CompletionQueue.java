// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.option.CompletionQueueAttributes;
import java.time.Duration;

/**
 * Where completed operations are reported (fi_cq(3)). On providers with manual progress, polling it also moves the
 * operations on.
 *
 * <p>One thread at a time may poll or wait; a second one gets an {@link IllegalStateException} that names the first,
 * even while the first is running a handler, and for as long as it waits. Threads may take turns. Polling allocates
 * nothing. {@link #signal} is for any thread.
 */
public sealed interface CompletionQueue extends FabricObject, Waitable permits CompletionQueueImpl {
    /**
     * What the queue was opened with.
     *
     * @return the attributes
     */
    CompletionQueueAttributes attributes();

    /**
     * Stops asking the provider who sent each message ({@code fi_cq_read} instead of {@code fi_cq_readfrom}), which
     * makes polling a little cheaper. {@link Completion#source()} is {@link Address#NOT_AVAILABLE} from now on.
     *
     * @return this
     */
    CompletionQueue ignoreSources();

    /**
     * Reads completions and hands each to the handler ({@code fi_cq_read}, {@code fi_cq_readfrom}). Never blocks.
     *
     * <p>A handler may post operations, poll this queue, close any object, and throw. What it throws ends the call;
     * completions that were read already are delivered by the next call, so none is lost. After a handler has polled,
     * the completion that it was given may show another. A handler that closes this queue drops what was read but not
     * delivered.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @return how many were delivered; 0 if there was none
     * @throws IllegalArgumentException if the limit is less than 1
     * @throws IllegalStateException if the queue is closed, or another thread is polling it
     */
    int poll(CompletionHandler handler, int limit);

    /**
     * Like {@link #poll}, but waits for a completion ({@code fi_cq_sread}, {@code fi_cq_sreadfrom}). The queue must
     * have been opened with a wait object. Where the provider's own wait is known to ignore its timeout, this polls
     * instead. Waits in slices of 100 ms, between which interrupts are noticed: an interrupted thread stays
     * interrupted. {@link #close()} ends the wait.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @param timeout how long to wait
     * @return how many were delivered; 0 if the time is up, the thread is interrupted, or another thread called
     *     {@link #signal()}
     * @throws FabricException {@code FI_ENOSYS} if the queue was opened without a wait object, or in a wait set
     * @throws IllegalArgumentException if the limit is less than 1, or the timeout negative
     * @throws IllegalStateException if the queue is closed, also meanwhile, or another thread is polling it
     */
    int await(CompletionHandler handler, int limit, Duration timeout);

    /**
     * Like {@link #await(CompletionHandler, int, Duration)}, but waits for a number of completions, on a queue that was
     * opened with a wait threshold. A provider that cannot wait for several returns with fewer.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @param timeout how long to wait
     * @param threshold how many to wait for, at least 1
     * @return how many were delivered; 0 as above
     * @throws FabricException {@code FI_ENOSYS} if the queue was opened without a wait object, or in a wait set
     * @throws IllegalArgumentException if the limit or the threshold is less than 1, or the timeout negative
     * @throws IllegalStateException if the threshold is more than 1 and the queue was opened without one, if it is
     *     closed, also meanwhile, or another thread is polling it
     */
    int await(CompletionHandler handler, int limit, Duration timeout, long threshold);

    /**
     * Wakes a thread that is blocked in {@link #await} ({@code fi_cq_signal}). May be called from any thread.
     */
    void signal();
}
