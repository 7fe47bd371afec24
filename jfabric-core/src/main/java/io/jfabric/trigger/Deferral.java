// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import io.jfabric.AtomicTarget;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.trigger.DeferralImpl;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * When an operation is to start, and who learns of it: the condition of a {@link DeferredWork} (fi_trigger(3)). From
 * {@link #of(Domain, Counter, long)}; each of the other methods queues one operation ({@code FI_QUEUE_WORK}) and can be
 * called again for the next.
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
     * @param domain the domain of the counter and the endpoints
     * @param counter successes and errors together count
     * @param threshold the value at which the operations start; at once if it is reached already
     * @return to queue the operations with
     */
    static Deferral of(Domain domain, Counter counter, long threshold) {
        return new DeferralImpl(((DomainImpl) Objects.requireNonNull(domain, "domain")).state(), (CounterImpl) counter,
                threshold);
    }

    /**
     * Cancels all deferred work that waits for a counter ({@code FI_FLUSH_WORK}).
     *
     * @param domain the domain
     * @param counter the counter; null for all work of the domain
     * @throws FabricException {@code FI_ENOSYS} where the provider cannot
     */
    static void flush(Domain domain, Counter counter) {
        DeferralImpl.flush(((DomainImpl) Objects.requireNonNull(domain, "domain")).state(), (CounterImpl) counter);
    }

    /**
     * Counts the operations when they are done.
     *
     * @param newCompletion the counter; null for none
     * @return this
     */
    Deferral completionCounter(Counter newCompletion);

    /**
     * Reports the operations to the endpoint's completion queue ({@code FI_COMPLETION}). The sockets provider ignores
     * this: only its completion counter tells.
     *
     * @param newContext comes back in the completion
     * @return this
     */
    Deferral context(long newContext);

    /**
     * Sets the flags of the operations; does not reset what {@link #context} set.
     *
     * @param newFlags of fi_sendmsg(3) and its like
     * @return this
     */
    Deferral flags(Flags<OperationFlag> newFlags);

    /**
     * Defers a send ({@code FI_OP_SEND}).
     *
     * @param endpoint who sends
     * @param buffer the message
     * @param destination the peer
     * @return the queued work
     */
    DeferredWork send(Endpoint endpoint, MemorySegment buffer, long destination);

    /**
     * Defers a receive ({@code FI_OP_RECV}).
     *
     * @param endpoint who receives
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @return the queued work
     */
    DeferredWork receive(Endpoint endpoint, MemorySegment buffer, long source);

    /**
     * Defers a tagged send ({@code FI_OP_TSEND}).
     *
     * @param endpoint who sends
     * @param buffer the message
     * @param destination the peer
     * @param tag the tag
     * @return the queued work
     */
    DeferredWork sendTagged(Endpoint endpoint, MemorySegment buffer, long destination, long tag);

    /**
     * Defers a tagged receive ({@code FI_OP_TRECV}).
     *
     * @param endpoint who receives
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @param tag the tag
     * @param ignore bits of the tag that do not matter
     * @return the queued work
     */
    DeferredWork receiveTagged(Endpoint endpoint, MemorySegment buffer, long source, long tag, long ignore);

    /**
     * Defers a read of a peer's memory ({@code FI_OP_READ}).
     *
     * @param endpoint who reads
     * @param buffer takes as many bytes as it has
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @return the queued work
     * @throws IndexOutOfBoundsException if that is not inside the region
     */
    DeferredWork read(Endpoint endpoint, MemorySegment buffer, long source, RemoteRegion region, long offset);

    /**
     * Defers a write to a peer's memory ({@code FI_OP_WRITE}).
     *
     * @param endpoint who writes
     * @param buffer what to write
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return the queued work
     * @throws IndexOutOfBoundsException if that is not inside the region
     */
    DeferredWork write(Endpoint endpoint, MemorySegment buffer, long destination, RemoteRegion region,
            long offset);

    /**
     * Defers an atomic operation ({@code FI_OP_ATOMIC}).
     *
     * @param endpoint who starts it
     * @param operand this side's elements
     * @param target what to do, and where
     * @return the queued work
     */
    DeferredWork apply(Endpoint endpoint, MemorySegment operand, AtomicTarget target);

    /**
     * Defers an atomic operation that fetches what was there before ({@code FI_OP_FETCH_ATOMIC}).
     *
     * @param endpoint who starts it
     * @param operand this side's elements
     * @param result room for as many
     * @param target what to do, and where
     * @return the queued work
     */
    DeferredWork fetchAndApply(Endpoint endpoint, MemorySegment operand, MemorySegment result,
            AtomicTarget target);

    /**
     * Defers an atomic compare and swap ({@code FI_OP_COMPARE_ATOMIC}).
     *
     * @param endpoint who starts it
     * @param operand the new elements
     * @param comparand what to compare with, as many
     * @param result room for as many, for what was there before
     * @param target what to do, and where
     * @return the queued work
     */
    DeferredWork compareAndApply(Endpoint endpoint, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, AtomicTarget target);

    /**
     * Defers setting a counter ({@code FI_OP_CNTR_SET}).
     *
     * @param target the counter
     * @param value its new value
     * @return the queued work
     */
    DeferredWork set(Counter target, long value);

    /**
     * Defers adding to a counter ({@code FI_OP_CNTR_ADD}).
     *
     * @param target the counter
     * @param value what to add
     * @return the queued work
     */
    DeferredWork add(Counter target, long value);
}
