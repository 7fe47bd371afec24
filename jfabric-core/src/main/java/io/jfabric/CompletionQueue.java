// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.option.CompletionQueueAttributes;
import java.time.Duration;

/**
 * Where completed operations are reported (fi_cq(3)). Polling it also drives operations on where progress is manual.
 *
 * <p>One thread at a time may poll. Polling allocates nothing.
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
     * <p>A handler that throws ends the call; completions already read are delivered by the next call, none is lost.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @return how many were delivered; 0 if there was none
     */
    int poll(CompletionHandler handler, int limit);

    /**
     * Like {@link #poll}, but waits for a completion ({@code fi_cq_sread}, {@code fi_cq_sreadfrom}). The queue must
     * have been opened with a wait object. Where the provider's own wait is known to ignore its time-out, this polls
     * instead.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @param timeout how long to wait
     * @return how many were delivered; 0 if the time is up or another thread called {@link #signal()}
     */
    int await(CompletionHandler handler, int limit, Duration timeout);

    /**
     * Like {@link #await(CompletionHandler, int, Duration)}, but waits for a number of completions; the queue must
     * have been opened with a wait threshold.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @param timeout how long to wait
     * @param threshold how many to wait for
     * @return how many were delivered
     */
    int await(CompletionHandler handler, int limit, Duration timeout, long threshold);

    /**
     * Wakes a thread that is blocked in {@link #await} ({@code fi_cq_signal}). May be called from any thread.
     */
    void signal();
}
