// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.FabricException;
import io.jfabric.Request;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.trigger.DeferralImpl;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When an operation is to start, and how its completion is reported: the condition of a {@link DeferredWork}
 * (fi_trigger(3)). From {@link #at}; {@link #queue}, {@link #set} and {@link #add} queue one operation each
 * ({@code FI_QUEUE_WORK}) and can be called again for the next.
 *
 * <p>Deferred operations report nothing to completion queues unless their flags have
 * {@link OperationFlag#COMPLETION}. Buffers belong to the provider until the operation is done. Not thread-safe.
 *
 * <p>Errors: {@link FabricException}, {@code FI_ENOSYS} where the provider has no deferred work.
 */
public sealed interface Deferral permits DeferralImpl {
    /**
     * Defers operations until a counter reaches a threshold ({@code FI_QUEUE_WORK}). Ask for the capability
     * {@code TRIGGER}.
     *
     * @param counter successes and errors together count; on {@code sockets} only successes. The endpoints, and the
     *     other counters, must be of its domain
     * @param threshold the value at which the operations start; at once if it is reached already
     * @return to queue the operations with
     */
    static Deferral at(Counter counter, long threshold) {
        return new DeferralImpl((CounterImpl) counter, threshold);
    }

    /**
     * Cancels all deferred work that waits for a counter ({@code FI_FLUSH_WORK}). It keeps no endpoint or counter from
     * being closed any more. Some of it may have started before, so its native memory and buffers stay as long as those
     * of work that has. What other threads queue meanwhile may be left out, and waits on then.
     *
     * @param counter the counter
     * @throws FabricException {@code FI_ENOSYS} where the provider cannot, as on cxi, which would cancel the work of
     *     all counters: use {@link #flushAll} there
     */
    static void flush(Counter counter) {
        DeferralImpl.flush((CounterImpl) counter);
    }

    /**
     * Cancels all deferred work of a domain, whatever counter it waits for ({@code FI_FLUSH_WORK}); else as
     * {@link #flush}.
     *
     * @param domain the domain
     * @throws FabricException {@code FI_ENOSYS} where the provider cannot
     */
    static void flushAll(Domain domain) {
        DeferralImpl.flushAll(((DomainImpl) Objects.requireNonNull(domain, "domain")).state());
    }

    /**
     * Counts the operations when they are done. Like one that is bound, the counter stays open as long as the endpoint:
     * open it before the endpoint, so that it is closed after it.
     *
     * @param newCompletion the counter; null for none
     * @return this
     */
    Deferral completionCounter(@Nullable Counter newCompletion);

    /**
     * Reports the operations to the endpoint's completion queue ({@code FI_COMPLETION}). The sockets provider ignores
     * this: only its completion counter tells.
     *
     * @param newContext comes back in the completion
     * @return this
     */
    Deferral context(long newContext);

    /**
     * Queues an operation ({@code FI_OP_SEND} and its like). Its flags are those of the request; if that has none, the
     * operation has none, not the endpoint's defaults. The work has a copy of the request, which may be changed and
     * used again at once.
     *
     * @param request the operation
     * @return the queued work
     * @throws FabricException {@code FI_EOPNOTSUPP} for a write with data on sockets
     */
    DeferredWork queue(Request<?> request);

    /**
     * Defers setting a counter ({@code FI_OP_CNTR_SET}).
     *
     * <p>Whether other work that waits for the target has started, jfabric sees by its value alone. If this sets it
     * back, such work counts as waiting again: what it needs cannot be closed, and it cannot be released, until the
     * counter has got there once more or is closed.
     *
     * @param target the counter
     * @param value its new value
     * @return the queued work
     * @throws IllegalArgumentException if there is a completion counter, which only transfers can have, or the
     *     provider has no place for the value: sockets counts in 32 bits
     */
    DeferredWork set(Counter target, long value);

    /**
     * Defers adding to a counter ({@code FI_OP_CNTR_ADD}). For less than nothing, what {@link #set} says of a counter
     * that is set back is true as well.
     *
     * @param target the counter
     * @param value what to add
     * @return the queued work
     * @throws IllegalArgumentException if there is a completion counter, which only transfers can have, or the
     *     provider has no place for the value: sockets counts in 32 bits
     */
    DeferredWork add(Counter target, long value);
}
