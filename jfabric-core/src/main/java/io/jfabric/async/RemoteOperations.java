// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.RemoteRegion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a node can do with a peer's memory: write to it, read it, and change numbers in it. What holds for all
 * {@link Operations} holds for these.
 */
public sealed interface RemoteOperations permits Operations {
    /**
     * Writes to a peer's memory ({@code fi_write}).
     *
     * @param buffer what to write
     * @param peer the peer
     * @param region its memory
     * @param offset where to write in it, in bytes
     * @return done when the buffer may be used again; if the hints of the node had
     *     {@link io.jfabric.info.OperationFlag#DELIVERY_COMPLETE} among the {@code tx().operationFlags()}, when the
     *     bytes are there
     */
    CompletableFuture<@Nullable Void> write(MemorySegment buffer, Peer peer, RemoteRegion region, long offset);

    /**
     * Writes a part of a buffer to a peer's memory ({@code fi_write}).
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the peer
     * @param region its memory
     * @param offset where to write in it, in bytes
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> write(MemorySegment buffer, long bufferOffset, long length, Peer peer,
            RemoteRegion region, long offset);

    /**
     * Writes several buffers to a peer's memory, one behind the other ({@code fi_writev}). Nothing is copied. If there
     * are more than the provider takes at once ({@code tx().iovLimit()} of {@link Node#info()}), they go as several
     * writes that have one future: it is done when all of them are, and fails as soon as one does. What waits in the
     * node by then is not written; what the provider has may be.
     *
     * @param buffers what to write, in this order; none for an empty write. Read before this returns: later changes of
     *     the list have no effect
     * @param peer the peer
     * @param region its memory
     * @param offset where to write the first of them in it, in bytes
     * @return done when the buffers may be used again
     */
    CompletableFuture<@Nullable Void> write(List<MemorySegment> buffers, Peer peer, RemoteRegion region, long offset);

    /**
     * Writes to a peer's memory and tells the peer, whose {@link Node#onWritten} gets the immediate data once the bytes
     * are there ({@code fi_writedata}). A read that follows need not find them: with shm it may overtake this write.
     *
     * @param buffer what to write
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param region its memory
     * @param offset where to write in it, in bytes
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> writeData(MemorySegment buffer, long data, Peer peer, RemoteRegion region,
            long offset);

    /**
     * Writes a part of a buffer to a peer's memory and tells the peer, as
     * {@link #writeData(MemorySegment, long, Peer, RemoteRegion, long)} does ({@code fi_writedata}).
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param region its memory
     * @param offset where to write in it, in bytes
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> writeData(MemorySegment buffer, long bufferOffset, long length, long data,
            Peer peer, RemoteRegion region, long offset);

    /**
     * Reads as much of a peer's memory as the buffer has room for ({@code fi_read}).
     *
     * @param buffer takes the bytes
     * @param peer the peer
     * @param region its memory
     * @param offset where to read in it, in bytes
     * @return done when the bytes are there
     */
    CompletableFuture<@Nullable Void> read(MemorySegment buffer, Peer peer, RemoteRegion region, long offset);

    /**
     * Reads from a peer's memory into a part of a buffer ({@code fi_read}).
     *
     * @param buffer takes the bytes
     * @param bufferOffset where in the buffer they go, in bytes
     * @param length how many bytes to read
     * @param peer the peer
     * @param region its memory
     * @param offset where to read in it, in bytes
     * @return done when the bytes are there
     */
    CompletableFuture<@Nullable Void> read(MemorySegment buffer, long bufferOffset, long length, Peer peer,
            RemoteRegion region, long offset);

    /**
     * Reads as much of a peer's memory as several buffers have room for, and fills them one after the other
     * ({@code fi_readv}). Nothing is copied. If there are more than the provider takes at once, they are filled by
     * several reads, as {@link #write(List, Peer, RemoteRegion, long)} does with writes.
     *
     * @param buffers take the bytes, in this order; none for an empty read. Where two of them share memory, it has the
     *     bytes of either. Read before this returns: later changes of the list have no effect
     * @param peer the peer
     * @param region its memory
     * @param offset where to read the first byte in it, in bytes
     * @return done when the bytes are there
     */
    CompletableFuture<@Nullable Void> read(List<MemorySegment> buffers, Peer peer, RemoteRegion region, long offset);

    /**
     * Adds to a 64-bit number in a peer's memory ({@code fi_fetch_atomic} with {@code FI_SUM}). Needs no buffer.
     *
     * @param peer the peer
     * @param region its memory
     * @param offset where the number is, in bytes; a multiple of 8
     * @param addend what to add
     * @return the number that was there before
     */
    CompletableFuture<Long> fetchAndAdd(Peer peer, RemoteRegion region, long offset, long addend);

    /**
     * Replaces a 64-bit number in a peer's memory if it is as expected ({@code fi_compare_atomic} with
     * {@code FI_CSWAP}). Needs no buffer.
     *
     * @param peer the peer
     * @param region its memory
     * @param offset where the number is, in bytes; a multiple of 8
     * @param expected the number that must be there for it to be replaced
     * @param replacement the number to put there
     * @return the number that was there before; it was replaced if that is the expected one
     */
    CompletableFuture<Long> compareAndSwap(Peer peer, RemoteRegion region, long offset, long expected,
            long replacement);

    /**
     * Applies operands to a peer's memory ({@code fi_atomic}). How many elements there may be,
     * {@link io.jfabric.Domain#queryAtomic} of the node's domain says, for {@link io.jfabric.AtomicForm#BASE}.
     *
     * @param operand the operands
     * @param peer the peer
     * @param region its memory
     * @param offset where the first target is, in bytes
     * @param type type of the elements
     * @param op what to do
     * @return done when the buffer may be used again
     */
    CompletableFuture<@Nullable Void> apply(MemorySegment operand, Peer peer, RemoteRegion region, long offset,
            Datatype type, AtomicOp op);

    /**
     * Applies operands to a peer's memory and fetches what was there before ({@code fi_fetch_atomic}). How
     * many elements there may be, {@link io.jfabric.Domain#queryAtomic} of the node's domain says, for
     * {@link io.jfabric.AtomicForm#FETCH}.
     *
     * @param operand the operands; may be null for {@link AtomicOp#ATOMIC_READ}
     * @param result takes the previous values
     * @param peer the peer
     * @param region its memory
     * @param offset where the first target is, in bytes
     * @param type type of the elements
     * @param op what to do
     * @return done when the results are there
     */
    CompletableFuture<@Nullable Void> fetchAndApply(@Nullable MemorySegment operand, MemorySegment result, Peer peer,
            RemoteRegion region, long offset, Datatype type, AtomicOp op);

    /**
     * Replaces a peer's memory where a comparison holds, and fetches what was there before
     * ({@code fi_compare_atomic}). How many elements there may be, {@link io.jfabric.Domain#queryAtomic} of the node's
     * domain says, for {@link io.jfabric.AtomicForm#COMPARE}.
     *
     * @param operand the new values
     * @param comparand what to compare with
     * @param result takes the previous values
     * @param peer the peer
     * @param region its memory
     * @param offset where the first target is, in bytes
     * @param type type of the elements
     * @param op the comparison
     * @return done when the results are there
     */
    CompletableFuture<@Nullable Void> compareAndApply(MemorySegment operand, MemorySegment comparand,
            MemorySegment result, Peer peer, RemoteRegion region, long offset, Datatype type, AtomicOp op);
}
