// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.PlainMessages;
import io.jfabric.internal.endpoint.PreparedMessages;
import java.lang.foreign.MemorySegment;

/**
 * Sends and receives messages that match in order of arrival (fi_msg(3)). From {@link Endpoint#messages()}; how to
 * receive is in {@link MessageReceives}.
 *
 * <p>Every method that starts an operation returns true if the provider took it and false if it is busy
 * ({@code -FI_EAGAIN}): poll the completion queue, then call again. That poll takes completions as any other does, so
 * its handler is to be that of all polls. Buffers are native memory and belong to the provider until the completion
 * with the operation's context; none is copied. An injected buffer may be used again at once and there is no
 * completion. Where an address is asked for, connected endpoints ignore it.
 *
 * <p>To a peer that has died, or was never there, many providers return false for ever, with no error and no event:
 * {@link io.jfabric.async.Retry} has a deadline.
 *
 * <p>Errors: {@link FabricException} from the provider, {@link IllegalArgumentException} for heap or read-only
 * buffers, {@link IndexOutOfBoundsException} for a part that is not inside its buffer, {@link IllegalStateException}
 * after closing. Threads: see {@link Endpoint}.
 */
@CheckReturnValue
public sealed interface Messages extends MessageReceives permits PlainMessages, PreparedMessages {
    /**
     * Sends a buffer ({@code fi_send}).
     *
     * @param buffer the message
     * @param peer the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(MemorySegment buffer, long peer, long context);

    /**
     * Sends a part of a buffer ({@code fi_send}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(MemorySegment buffer, long offset, long length, long peer, long context);

    /**
     * Sends a buffer and immediate data, which the peer finds in its completion ({@code fi_senddata}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean sendData(MemorySegment buffer, long data, long peer, long context);

    /**
     * Sends a part of a buffer and immediate data ({@code fi_senddata}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param peer the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean sendData(MemorySegment buffer, long offset, long length, long data, long peer, long context);

    /**
     * Sends a small buffer that may be used again at once ({@code fi_inject}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param peer the peer
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long peer);

    /**
     * Sends a small part of a buffer that may be used again at once ({@code fi_inject}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param peer the peer
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long offset, long length, long peer);

    /**
     * Sends a small buffer, which may be used again at once, and immediate data ({@code fi_injectdata}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param peer the peer
     * @return false if the provider is busy
     */
    boolean injectData(MemorySegment buffer, long data, long peer);

    /**
     * Sends a small part of a buffer, which may be used again at once, and immediate data ({@code fi_injectdata}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param peer the peer
     * @return false if the provider is busy
     */
    boolean injectData(MemorySegment buffer, long offset, long length, long data, long peer);

    /**
     * A send that says all that {@code fi_sendmsg} can: several buffers, immediate data, flags. For any number of
     * posts.
     *
     * @return a request without buffers, to no peer
     */
    MessageRequest sendRequest();
}
