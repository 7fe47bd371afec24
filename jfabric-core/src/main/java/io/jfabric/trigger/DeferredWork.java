// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import io.jfabric.FabricException;
import io.jfabric.internal.trigger.DeferredWorkImpl;

/**
 * An operation that waits for a counter ({@code struct fi_deferred_work}, fi_trigger(3)). From {@link Deferral}.
 *
 * <p>Its native memory and its buffers stay reachable until its completion is read, {@link #cancel} has succeeded, or
 * its endpoint is closed; if it was released, until the endpoint is closed. Those of work on a counter stay until it is
 * released or the domain is closed. Until it has started or is cancelled, the endpoints and counters that it uses
 * cannot be closed, except by closing the domain, or after the counter that it waits for; once it has started, they
 * must stay open until it is done.
 *
 * <p>Any thread may cancel or release it, one at a time.
 */
public sealed interface DeferredWork permits DeferredWorkImpl {
    /**
     * Takes the work from the queue ({@code FI_CANCEL_WORK}).
     *
     * @throws FabricException {@code FI_ENOSYS} where the provider cannot, {@code FI_EINVAL} on cxi; the work stays
     *     queued
     */
    void cancel();

    /**
     * Lets go of native memory and buffers before the domain is closed: at once if the completion was read, or if it
     * was work on a counter. Else nothing tells jfabric whether the operation is over, as with others that report no
     * completion: the endpoint keeps them until it is closed, and with them the {@link io.jfabric.FabricArena}s of the
     * buffers.
     *
     * @throws IllegalStateException if it has neither started nor been cancelled, and its counter is open; also if it
     *     has started, but deferred work has set the counter back since: close the counter first
     */
    void release();
}
