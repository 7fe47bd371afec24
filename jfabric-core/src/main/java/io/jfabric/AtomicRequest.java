// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.request.AtomicRequestImpl;
import java.lang.foreign.MemorySegment;

/**
 * An atomic operation on a peer's memory ({@code struct fi_msg_atomic}). From
 * {@link Atomics#request(AtomicForm, Datatype, AtomicOp)}. {@link #buffers} are the operands; operands, comparands,
 * results and targets have as many bytes in all when it is posted, and each buffer whole, aligned elements.
 *
 * <p>Errors and threads: see {@link Request}. The first post of a fetching or comparing operation with other buffers
 * allocates an object, but not with another part of the same.
 */
public sealed interface AtomicRequest extends Request<AtomicRequest> permits AtomicRequestImpl {
    /**
     * Sets what to compare with, or for {@link AtomicOp#MSWAP} the bits to replace.
     *
     * @param comparands native memory
     * @return this
     * @throws IllegalArgumentException if the form is not {@link AtomicForm#COMPARE}
     */
    AtomicRequest comparands(MemorySegment... comparands);

    /**
     * Sets what takes the previous values. A fetching {@link AtomicOp#ATOMIC_READ} needs no operands.
     *
     * @param results native memory
     * @return this
     * @throws IllegalArgumentException if the form is {@link AtomicForm#BASE}
     */
    AtomicRequest results(MemorySegment... results);

    /**
     * Sets the only target.
     *
     * @param region the peer's memory
     * @param offset where the first element is in it, in bytes
     * @param length how long the target is, in bytes
     * @return this
     */
    AtomicRequest target(RemoteRegion region, long offset, long length);

    /**
     * Adds a target after those before it. How many there can be is {@code tx().rmaIovLimit()}.
     *
     * @param region the peer's memory
     * @param offset where the first element is in it, in bytes
     * @param length how long the target is, in bytes
     * @return this
     */
    AtomicRequest addTarget(RemoteRegion region, long offset, long length);
}
