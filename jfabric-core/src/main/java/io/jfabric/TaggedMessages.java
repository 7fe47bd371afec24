// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.internal.endpoint.TaggedClaims;
import java.lang.foreign.MemorySegment;

/**
 * Sends and receives messages that match by tag (fi_tagged(3)). From {@link Endpoint#tagged()}.
 *
 * <p>A receive takes a message if their tags agree in every bit that is 0 in the receive's {@code ignore}. Everything
 * else is as with {@link Messages}: false means busy, buffers belong to the provider until the completion, errors are
 * the same. Threads: see {@link Endpoint}.
 */
@CheckReturnValue
public sealed interface TaggedMessages permits TaggedClaims {
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
     * Posts a buffer for a message ({@code fi_trecv}).
     *
     * @param buffer takes the message
     * @param peer the only peer to take it from, where the domain has the capability {@code DIRECTED_RECV}, and
     *     then in the address vector; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(MemorySegment buffer, long peer, long tag, long ignore, long context);

    /**
     * Posts a part of a buffer for a message ({@code fi_trecv}).
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the only peer to take it from; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(MemorySegment buffer, long offset, long length, long peer, long tag, long ignore,
            long context);

    /**
     * Looks whether a message has arrived ({@code FI_PEEK}). Completes with its length, tag and source, or with the
     * error {@code FI_ENOMSG}; the message stays where it is.
     *
     * @param peer the peer; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean peek(long peer, long tag, long ignore, long context);

    /**
     * Like {@link #peek}, and reserves the message found for {@link #claim} or {@link #discard}.
     *
     * @param peer the peer; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion, and names the message afterwards
     * @return false if the provider is busy
     */
    boolean peekAndClaim(long peer, long tag, long ignore, long context);

    /**
     * Like {@link #peek}, and drops the message found ({@code FI_PEEK} with {@code FI_DISCARD}). Providers that cannot
     * do it without harm refuse it with {@code FI_EOPNOTSUPP}: see {@code docs/providers.md}.
     *
     * @param peer the peer; {@link Address#ANY} for any
     * @param tag the tag
     * @param ignore bits of the tag that need not agree
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean peekAndDiscard(long peer, long tag, long ignore, long context);

    /**
     * Receives the message that {@link #peekAndClaim} reserved ({@code FI_CLAIM}).
     *
     * @param buffer takes the message
     * @param peer as it was peeked for
     * @param tag as it was peeked for
     * @param ignore as it was peeked for
     * @param context as it was peeked for
     * @return false if the provider is busy
     * @throws IllegalStateException if no message is reserved under this context
     */
    boolean claim(MemorySegment buffer, long peer, long tag, long ignore, long context);

    /**
     * Drops the message that {@link #peekAndClaim} reserved ({@code FI_CLAIM} with {@code FI_DISCARD}). Where this is
     * refused with {@code FI_EOPNOTSUPP}, receive it by {@link #claim}, which every provider can that reserves.
     *
     * @param peer as it was peeked for
     * @param tag as it was peeked for
     * @param ignore as it was peeked for
     * @param context as it was peeked for
     * @return false if the provider is busy
     * @throws IllegalStateException if no message is reserved under this context
     */
    boolean discard(long peer, long tag, long ignore, long context);

    /**
     * A send that says all that {@code fi_tsendmsg} can: several buffers, immediate data, flags. For any number of
     * posts.
     *
     * @return a request without buffers, to no peer, with tag 0
     */
    TaggedRequest sendRequest();

    /**
     * A receive that says all that {@code fi_trecvmsg} can: several buffers, flags. For any number of posts.
     *
     * @return a request without buffers, from {@link Address#ANY}, with tag 0 and nothing ignored
     */
    TaggedRequest receiveRequest();
}
