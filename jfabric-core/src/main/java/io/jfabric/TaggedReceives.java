// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import java.lang.foreign.MemorySegment;

/**
 * Receives messages that match by tag (fi_tagged(3)): what an endpoint and a context that endpoints share have in
 * common. From {@link Endpoint#tagged()} and {@link SharedReceiveContext#tagged()}.
 *
 * <p>A receive takes a message if their tags agree in every bit that is 0 in the receive's {@code ignore}. Everything
 * else is as with {@link Messages}: false means busy, buffers belong to the provider until the completion, errors are
 * the same. The receives of a {@link SharedReceiveContext} cannot be peeked at or claimed ({@code FI_EOPNOTSUPP}).
 * Threads: see {@link Endpoint}.
 *
 * <p>What looks at a message, claims it or drops it is always reported, also by a queue that is bound with
 * {@link io.jfabric.option.BindFlag#SELECTIVE_COMPLETION}.
 */
@CheckReturnValue
public sealed interface TaggedReceives permits TaggedMessages {
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
     * refused with {@code FI_EOPNOTSUPP}, receive it by {@link #claim}, which every provider that reserves messages can
     * do.
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
     * A receive that says all that {@code fi_trecvmsg} can: several buffers, flags. For any number of posts.
     *
     * @return a request without buffers, from {@link Address#ANY}, with tag 0 and nothing ignored
     */
    TaggedRequest receiveRequest();
}
