// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.PlainRma;
import io.jfabric.internal.endpoint.PreparedRma;
import java.lang.foreign.MemorySegment;

/**
 * Reads and writes the memory of peers (fi_rma(3)). From {@link Endpoint#rma()}.
 *
 * <p>The peer takes no part: it has registered the memory and handed out a {@link RemoteRegion}. Offsets count from
 * the region's first byte, and no operation reaches outside it. The peer learns of a write only by remote data
 * ({@link #writeData}), by a counter, or by a message sent after it where the provider keeps that order
 * ({@code tx().messageOrder()}).
 *
 * <p>Every method returns true if the provider took the operation and false if it is busy ({@code -FI_EAGAIN}): poll
 * the completion queue, then call again. Buffers are native memory and belong to the provider until the completion
 * with the operation's context; none is copied. An injected buffer may be used again at once and there is no
 * completion. Connected endpoints ignore the address of the peer.
 *
 * <p>The completion of a write says that the buffer may be used again, not that the peer lives: on {@code shm},
 * {@link #writeData} to the memory of a process that was killed completes without an error.
 *
 * <p>To a peer that has died, or was never there, many providers return false for ever, with no error and no event:
 * {@link io.jfabric.async.Retry} has a deadline.
 *
 * <p>Errors: {@link FabricException} from the provider, {@link IndexOutOfBoundsException} for a range outside the
 * region or the buffer, {@link IllegalArgumentException} for unusable buffers, {@link IllegalStateException} after
 * closing. What the peer refuses comes as an error completion. Threads: see {@link Endpoint}.
 */
@CheckReturnValue
public sealed interface Rma permits PlainRma, PreparedRma {
    /**
     * Writes a buffer to a peer's memory ({@code fi_write}).
     *
     * @param buffer what to write
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean write(MemorySegment buffer, long peer, RemoteRegion region, long offset, long context);

    /**
     * Writes a part of a buffer to a peer's memory ({@code fi_write}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean write(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset, long context);

    /**
     * Writes a buffer to a peer's memory and tells the peer by immediate data, which comes as a completion with
     * {@link CompletionFlag#REMOTE_WRITE} once the memory is written ({@code fi_writedata}).
     *
     * @param buffer what to write
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean writeData(MemorySegment buffer, long data, long peer, RemoteRegion region, long offset,
            long context);

    /**
     * Writes a part of a buffer to a peer's memory and tells the peer by immediate data ({@code fi_writedata}); unlike
     * a slice, this allocates nothing.
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean writeData(MemorySegment buffer, long bufferOffset, long length, long data, long peer,
            RemoteRegion region, long offset, long context);

    /**
     * Writes a small buffer, which may be used again at once, to a peer's memory ({@code fi_inject_write}).
     *
     * @param buffer what to write, at most {@code tx().injectSize()} bytes
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long peer, RemoteRegion region, long offset);

    /**
     * Writes a small part of a buffer, which may be used again at once, to a peer's memory
     * ({@code fi_inject_write}).
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset);

    /**
     * Writes a small buffer, which may be used again at once, to a peer's memory and tells the peer by immediate data
     * ({@code fi_inject_writedata}).
     *
     * @param buffer what to write, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return false if the provider is busy
     */
    boolean injectData(MemorySegment buffer, long data, long peer, RemoteRegion region, long offset);

    /**
     * Writes a small part of a buffer, which may be used again at once, to a peer's memory and tells the peer by
     * immediate data ({@code fi_inject_writedata}).
     *
     * @param buffer holds what to write
     * @param bufferOffset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to write in it, in bytes
     * @return false if the provider is busy
     */
    boolean injectData(MemorySegment buffer, long bufferOffset, long length, long data, long peer,
            RemoteRegion region, long offset);

    /**
     * Reads a peer's memory into a buffer ({@code fi_read}).
     *
     * @param buffer takes as many bytes as it has
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean read(MemorySegment buffer, long peer, RemoteRegion region, long offset, long context);

    /**
     * Reads a peer's memory into a part of a buffer ({@code fi_read}); unlike a slice, this allocates nothing.
     *
     * @param buffer takes the bytes
     * @param bufferOffset where in the buffer they go, in bytes
     * @param length how many bytes to read
     * @param peer the peer
     * @param region the peer's memory
     * @param offset where to read in it, in bytes
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean read(MemorySegment buffer, long bufferOffset, long length, long peer, RemoteRegion region,
            long offset, long context);

    /**
     * A write that says all that {@code fi_writemsg} can: several buffers, several ranges, immediate data, flags. For
     * any number of posts.
     *
     * @return a request without buffers and ranges, to no peer
     */
    RmaRequest writeRequest();

    /**
     * A read that says all that {@code fi_readmsg} can: several buffers, several ranges, flags. For any number of
     * posts.
     *
     * @return a request without buffers and ranges, to no peer
     */
    RmaRequest readRequest();
}
