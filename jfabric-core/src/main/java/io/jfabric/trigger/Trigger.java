// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import io.jfabric.CheckReturnValue;
import io.jfabric.Counter;
import io.jfabric.FabricException;
import io.jfabric.Request;
import io.jfabric.info.Capability;
import io.jfabric.internal.trigger.TriggerImpl;

/**
 * When a triggered operation is to start: once a counter reaches a threshold ({@code struct fi_triggered_context2},
 * fi_trigger(3)). For one operation.
 *
 * <p>The endpoint must have been opened with {@link Capability#TRIGGER}. Buffers belong to the provider until the
 * completion with the operation's context; the request may be used again at once, also to post. Until the operation
 * has started, its endpoint cannot be closed, except by closing the domain, or after the counter.
 *
 * <p>The buffers stay reachable, and the {@link io.jfabric.FabricArena}s that they are from open, until the completion
 * is read or the endpoint is closed: that long also those of operations that report no completion.
 *
 * <p>Any thread may post. If several do, one succeeds, and the others are refused, as after any earlier use.
 */
public sealed interface Trigger permits TriggerImpl {
    /**
     * A trigger.
     *
     * @param counter counts; must stay open until the operation has completed
     * @param threshold the value at which the operation starts
     * @return for one operation
     */
    static Trigger at(Counter counter, long threshold) {
        return TriggerImpl.at(counter, threshold);
    }

    /**
     * Hands the provider an operation that starts when the counter gets there ({@code FI_TRIGGER}). The flags are the
     * request's, or the endpoint's defaults.
     *
     * @param request the operation
     * @param context comes back in the completion
     * @return false if the provider is busy
     * @throws FabricException {@code FI_ENOSYS} if the endpoint was opened without the capability;
     *     {@code FI_EOPNOTSUPP} for a write with data on sockets
     * @throws IllegalStateException if the trigger has been used already
     */
    @CheckReturnValue
    boolean post(Request<?> request, long context);
}
