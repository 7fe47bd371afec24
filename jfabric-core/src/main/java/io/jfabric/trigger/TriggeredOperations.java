// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import io.jfabric.AtomicTarget;
import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Address;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.trigger.TriggeredOperationsImpl;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Operations that start when a counter reaches a threshold ({@code FI_TRIGGER}, fi_trigger(3)). From
 * {@link #of(Endpoint)}; ask for the capability {@code TRIGGER}. For operations on counters, and those
 * that report to a counter of their own, see {@link Deferral}.
 *
 * <p>Each method returns false where the provider is busy; the trigger can then be used again. Completions come as of
 * other operations, with the context. Buffers belong to the provider until then. Threads: see {@link Endpoint}.
 *
 * <p>Errors: {@link FabricException} from the provider and for atomic operations it lacks,
 * {@link IndexOutOfBoundsException} for a target outside the region, {@link IllegalArgumentException} for unusable
 * buffers, {@link IllegalStateException} for a trigger that was used already.
 */
public sealed interface TriggeredOperations permits TriggeredOperationsImpl {
    /**
     * The triggered operations of an endpoint.
     *
     * @param endpoint was opened with the capability {@code TRIGGER}
     * @return the operations
     */
    static TriggeredOperations of(Endpoint endpoint) {
        return new TriggeredOperationsImpl((EndpointImpl) Objects.requireNonNull(endpoint, "endpoint"));
    }

    /**
     * Sends a buffer ({@code fi_sendmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer the message
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(Trigger trigger, MemorySegment buffer, long destination, long context);

    /**
     * Posts a receive buffer ({@code fi_recvmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(Trigger trigger, MemorySegment buffer, long source, long context);

    /**
     * Sends a tagged buffer ({@code fi_tsendmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer the message
     * @param destination the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean sendTagged(Trigger trigger, MemorySegment buffer, long destination, long tag, long context);

    /**
     * Posts a buffer for a tagged message ({@code fi_trecvmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer room for the message
     * @param source the peer; {@link Address#ANY} for all
     * @param tag the tag
     * @param ignore bits of the tag that do not matter
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receiveTagged(Trigger trigger, MemorySegment buffer, long source, long tag, long ignore,
            long context);

    /**
     * Reads a peer's memory ({@code fi_readmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer takes as many bytes as it has
     * @param source the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean read(Trigger trigger, MemorySegment buffer, long source, RemoteRegion region, long offset,
            long context);

    /**
     * Writes to a peer's memory ({@code fi_writemsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param buffer what to write
     * @param destination the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean write(Trigger trigger, MemorySegment buffer, long destination, RemoteRegion region, long offset,
            long context);

    /**
     * Applies operands to a peer's memory ({@code fi_atomicmsg} with {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param operand the operands
     * @param target what to do, and where
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean apply(Trigger trigger, MemorySegment operand, AtomicTarget target, long context);

    /**
     * Applies operands to a peer's memory and returns what was there ({@code fi_fetch_atomicmsg} with
     * {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param operand the operands
     * @param result room for as many elements
     * @param target what to do, and where
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean fetchAndApply(Trigger trigger, MemorySegment operand, MemorySegment result, AtomicTarget target,
            long context);

    /**
     * Applies operands where a comparison holds, and returns what was there ({@code fi_compare_atomicmsg} with
     * {@code FI_TRIGGER}).
     *
     * @param trigger when
     * @param operand the operands
     * @param comparand what to compare with, as many elements
     * @param result room for as many elements
     * @param target what to do, and where
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean compareAndApply(Trigger trigger, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, AtomicTarget target, long context);
}
