// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.PlainAtomics;
import io.jfabric.internal.endpoint.PreparedAtomics;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Changes the memory of peers atomically (fi_atomic(3)). From {@link Endpoint#atomics()}.
 *
 * <p>An operation works on one or more elements of a {@link Datatype}, each by itself atomic with respect to other
 * atomic operations through the same provider; whether with respect to the CPU's, too, is up to the provider. All
 * buffers must have the same size, which gives the number of elements. Buffers and targets must be aligned for the
 * type. What a provider can do is {@link #maxCount}; what it cannot do is refused here, before it crashes.
 *
 * <p>Every method returns true if the provider took the operation and false if it is busy ({@code -FI_EAGAIN}): poll
 * the completion queue, then call again. Buffers are native memory and belong to the provider until the completion
 * with the operation's context; results are there when it comes. Connected endpoints ignore the address of the peer.
 *
 * <p>To a peer that has died, or was never there, many providers return false for ever, with no error and no event:
 * {@link io.jfabric.async.Retry} has a deadline.
 *
 * <p>Errors: {@link FabricException} from the provider and for combinations it lacks ({@code FI_EOPNOTSUPP},
 * {@code FI_ENOSYS}), {@link IndexOutOfBoundsException} for a target outside the region,
 * {@link IllegalArgumentException} for unusable buffers, {@link IllegalStateException} after closing. Threads: see
 * {@link Endpoint}.
 */
@CheckReturnValue
public sealed interface Atomics permits PlainAtomics, PreparedAtomics {
    /**
     * How many elements one operation may have ({@code fi_atomicvalid}, {@code fi_fetch_atomicvalid},
     * {@code fi_compare_atomicvalid}). The endpoint must be enabled.
     *
     * @param form base, fetch or compare
     * @param type the type
     * @param op the operation
     * @return the number; 0 if the provider cannot do it
     * @throws IllegalArgumentException for {@code VOID} and {@code NOOP}, which are for collective operations only
     */
    long maxCount(AtomicForm form, Datatype type, AtomicOp op);

    /**
     * Applies operands to a peer's memory ({@code fi_atomic}).
     *
     * @param operand the operands
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean apply(MemorySegment operand, long peer, RemoteRegion region, long offset, Datatype type,
            AtomicOp op, long context);

    /**
     * Applies operands to a peer's memory; the buffer may be used again at once and there is no completion
     * ({@code fi_inject_atomic}).
     *
     * @param operand the operands, at most {@code tx().injectSize()} bytes
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @return false if the provider is busy
     * @throws FabricException {@code FI_EOPNOTSUPP} where the provider sends it to another peer, as with
     *     {@code udp;ofi_rxd}: use {@link #apply} there
     */
    boolean inject(MemorySegment operand, long peer, RemoteRegion region, long offset, Datatype type,
            AtomicOp op);

    /**
     * Applies operands to a peer's memory and fetches what was there before ({@code fi_fetch_atomic}).
     *
     * @param operand the operands; may be null for {@link AtomicOp#ATOMIC_READ}
     * @param result takes the previous values
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op what to do
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean fetchAndApply(@Nullable MemorySegment operand, MemorySegment result, long peer, RemoteRegion region,
            long offset, Datatype type, AtomicOp op, long context);

    /**
     * Compares a peer's memory with comparands, replaces it by the operands where the comparison holds, and fetches
     * what was there before ({@code fi_compare_atomic}).
     *
     * @param operand the new values
     * @param comparand what to compare with, or for {@link AtomicOp#MSWAP} the bits to replace
     * @param result takes the previous values
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where the first target is in it, in bytes
     * @param type type of the elements
     * @param op the comparison
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean compareAndApply(MemorySegment operand, MemorySegment comparand, MemorySegment result,
            long peer, RemoteRegion region, long offset, Datatype type, AtomicOp op, long context);

    /**
     * An operation that says all that {@code fi_atomicmsg}, {@code fi_fetch_atomicmsg} and
     * {@code fi_compare_atomicmsg} can: several buffers, several targets, flags. No immediate data. For any number of
     * posts.
     *
     * @param form base, fetch or compare
     * @param type type of the elements
     * @param op what to do
     * @return a request without buffers and targets, to no peer
     */
    AtomicRequest request(AtomicForm form, Datatype type, AtomicOp op);
}
