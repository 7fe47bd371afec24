// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.MemorySegment;

/**
 * An operation that is described once and posted any number of times. From {@link Messages#sendRequest()} and similar
 * methods.
 *
 * <p>Says all that the {@code fi_*msg} functions can: several buffers, flags of the operation's own, immediate data,
 * several remote ranges. Setters replace what was set before and check it; what only fits together, such as the sizes
 * of both sides, is checked by the first post after a change. Nothing is allocated by posting, nor by setters, unless
 * they take an array; so a request can be changed for each post.
 *
 * <p>A request may be posted again, and changed, while operations that it was posted for are under way: they keep what
 * they were posted with. The same object is what {@link io.jfabric.trigger.Trigger#post} starts later and
 * {@link io.jfabric.trigger.Deferral#queue} queues. For one thread at a time.
 *
 * <p>Errors of setters: {@link NullPointerException}, {@link IllegalArgumentException} for buffers that cannot be used,
 * too many of them, and flags that mean nothing to the operation, {@link IndexOutOfBoundsException} for a part outside
 * its buffer or region, {@link IllegalStateException} for memory whose arena is closed, and if another thread is
 * changing or posting the request at that moment.
 *
 * @param <R> the concrete type, which setters return
 */
public sealed interface Request<R extends Request<R>> permits MessageRequest, TaggedRequest, RmaRequest, AtomicRequest {
    /**
     * Sets the local buffers, which are sent or filled in this order.
     *
     * @param buffers native memory; none for an empty message
     * @return this
     */
    R buffers(MemorySegment... buffers);

    /**
     * Sets a part of a buffer as the only local buffer.
     *
     * @param buffer native memory
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @return this
     */
    R buffer(MemorySegment buffer, long offset, long length);

    /**
     * Sets the peer: the destination, or for a receive the only peer to take a message from.
     *
     * @param peer from the address vector; {@link io.jfabric.info.Address#ANY} for a receive from any. Connected
     *     endpoints ignore it
     * @return this
     */
    R peer(long peer);

    /**
     * Sends immediate data along ({@code FI_REMOTE_CQ_DATA}).
     *
     * @param data the provider's {@code cqDataSize} bytes of it are sent
     * @return this
     * @throws IllegalArgumentException if the operation carries none
     * @throws FabricException {@code FI_ENOSYS} if the provider sends none ({@code cqDataSize} is 0)
     */
    R data(long data);

    /**
     * Sends no immediate data, as at first.
     *
     * @return this
     */
    R noData();

    /**
     * Sets flags for the operation, which replace the endpoint's default flags.
     *
     * @param flags the flags; none for an operation without any
     * @return this
     */
    R flags(OperationFlag... flags);

    /**
     * As {@link #flags(OperationFlag...)}.
     *
     * @param flags the flags
     * @return this
     */
    R flags(Flags<OperationFlag> flags);

    /**
     * Goes back to the endpoint's default flags, as at first.
     *
     * @return this
     */
    R defaultFlags();

    /**
     * Whose request this is.
     *
     * @return the {@link Endpoint} that it is posted to, or the {@link SharedReceiveContext}
     */
    FabricObject owner();

    /**
     * Starts the operation.
     *
     * @param context comes back in the completion
     * @return false if the provider is busy
     * @throws FabricException from the provider, and {@code FI_EMSGSIZE} for more than it takes at once
     * @throws IllegalArgumentException if the parts of the request do not fit together, or the peer is unknown
     * @throws IllegalStateException if the endpoint or the arena of a buffer is closed, or no range of the peer's
     *     memory was set where one is needed
     */
    @CheckReturnValue
    boolean post(long context);
}
