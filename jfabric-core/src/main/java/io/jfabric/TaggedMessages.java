// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.TaggedClaims;
import java.lang.foreign.MemorySegment;

/**
 * Sends and receives messages that match by tag (fi_tagged(3)). From {@link Endpoint#tagged()}; how to receive is in
 * {@link TaggedReceives}.
 *
 * <p>Everything else is as with {@link Messages}: false means busy, to a peer that is gone perhaps for ever, buffers
 * belong to the provider until the completion, errors are the same. Threads: see {@link Endpoint}.
 */
@CheckReturnValue
public sealed interface TaggedMessages extends TaggedReceives permits TaggedClaims {
    /**
     * Sends a buffer ({@code fi_tsend}).
     *
     * @param buffer the message
     * @param peer the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(MemorySegment buffer, long peer, long tag, long context);

    /**
     * Sends a part of a buffer ({@code fi_tsend}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(MemorySegment buffer, long offset, long length, long peer, long tag, long context);

    /**
     * Sends a buffer and immediate data, which the peer finds in its completion ({@code fi_tsenddata}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean sendData(MemorySegment buffer, long data, long peer, long tag, long context);

    /**
     * Sends a part of a buffer and immediate data ({@code fi_tsenddata}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param tag the tag
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean sendData(MemorySegment buffer, long offset, long length, long data, long peer, long tag, long context);

    /**
     * Sends a small buffer that may be used again at once ({@code fi_tinject}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param peer the peer
     * @param tag the tag
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long peer, long tag);

    /**
     * Sends a small part of a buffer that may be used again at once ({@code fi_tinject}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param peer the peer
     * @param tag the tag
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long offset, long length, long peer, long tag);

    /**
     * Sends a small buffer, which may be used again at once, and immediate data ({@code fi_tinjectdata}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param peer the peer
     * @param tag the tag
     * @return false if the provider is busy
     */
    boolean injectData(MemorySegment buffer, long data, long peer, long tag);

    /**
     * Sends a small part of a buffer, which may be used again at once, and immediate data ({@code fi_tinjectdata}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param peer the peer
     * @param tag the tag
     * @return false if the provider is busy
     */
    boolean injectData(MemorySegment buffer, long offset, long length, long data, long peer, long tag);

    /**
     * A send that says all that {@code fi_tsendmsg} can: several buffers, immediate data, flags. For any number of
     * posts.
     *
     * @return a request without buffers, to no peer, with tag 0
     */
    TaggedRequest sendRequest();
}
