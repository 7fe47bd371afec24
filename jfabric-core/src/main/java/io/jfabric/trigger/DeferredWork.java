// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import io.jfabric.FabricException;
import io.jfabric.internal.trigger.DeferredWorkImpl;

/**
 * An operation that waits for a counter ({@code struct fi_deferred_work}, fi_trigger(3)). From {@link Deferral}.
 *
 * <p>Its native memory and its buffers stay reachable until its completion is read, it is cancelled or released, or the
 * domain is closed. Until it has started, the endpoints and counters that it uses cannot be closed, except by closing
 * the domain, or after the counter that it waits for; once it has started, they must stay open until it is done.
 */
public sealed interface DeferredWork permits DeferredWorkImpl {
    /**
     * Takes the work from the queue ({@code FI_CANCEL_WORK}).
     *
     * @throws FabricException {@code FI_ENOSYS} where the provider cannot; the work stays queued
     */
    void cancel();

    /**
     * Lets go of native memory and buffers before the domain is closed. Only for work that is known to be done, such
     * as by its completion counter: the provider may still use it otherwise.
     *
     * @throws IllegalStateException if it has not started, and its counter is open
     */
    void release();
}
