// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.ReceiveAttributesImpl;

/**
 * How an endpoint receives ({@code struct fi_rx_attr}, fi_endpoint(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 *
 * <p>Amounts are unsigned in C: one above {@link Long#MAX_VALUE} means that there is no limit, and is read as
 * {@code Long.MAX_VALUE}. In hints, 0 demands nothing.
 */
public sealed interface ReceiveAttributes permits ReceiveAttributesImpl {
    /**
     * Capabilities of this direction ({@code fi_rx_attr.caps}).
     *
     * @return the flags, unknown bits included
     */
    Flags<Capability> capabilities();

    /**
     * Sets {@code fi_rx_attr.caps}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    ReceiveAttributes capabilities(Flags<Capability> flags);

    /**
     * Sets {@code fi_rx_attr.caps} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    ReceiveAttributes capabilities(Capability... flags);

    /**
     * Demands on the application ({@code fi_rx_attr.mode}).
     *
     * @return the flags, unknown bits included
     */
    Flags<Mode> mode();

    /**
     * Sets {@code fi_rx_attr.mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    ReceiveAttributes mode(Flags<Mode> flags);

    /**
     * Sets {@code fi_rx_attr.mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    ReceiveAttributes mode(Mode... flags);

    /**
     * Flags that every operation without flags of its own uses ({@code fi_rx_attr.op_flags}).
     *
     * @return the flags, unknown bits included
     */
    Flags<OperationFlag> operationFlags();

    /**
     * Sets {@code fi_rx_attr.op_flags}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    ReceiveAttributes operationFlags(Flags<OperationFlag> flags);

    /**
     * Sets {@code fi_rx_attr.op_flags} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    ReceiveAttributes operationFlags(OperationFlag... flags);

    /**
     * Order of operations at the target ({@code fi_rx_attr.msg_order}).
     *
     * @return the flags, unknown bits included
     */
    Flags<MessageOrder> messageOrder();

    /**
     * Sets {@code fi_rx_attr.msg_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    ReceiveAttributes messageOrder(Flags<MessageOrder> flags);

    /**
     * Sets {@code fi_rx_attr.msg_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    ReceiveAttributes messageOrder(MessageOrder... flags);

    /**
     * Order of completions ({@code fi_rx_attr.comp_order}).
     *
     * @return the flags, unknown bits included
     */
    Flags<CompletionOrder> completionOrder();

    /**
     * Sets {@code fi_rx_attr.comp_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    ReceiveAttributes completionOrder(Flags<CompletionOrder> flags);

    /**
     * Sets {@code fi_rx_attr.comp_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    ReceiveAttributes completionOrder(CompletionOrder... flags);

    /**
     * Space for messages nobody has posted a buffer for ({@code fi_rx_attr.total_buffered_recv}).
     *
     * @return the value, in bytes
     */
    long totalBufferedRecv();

    /**
     * Sets {@code fi_rx_attr.total_buffered_recv}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    ReceiveAttributes totalBufferedRecv(long value);

    /**
     * Receives that may be posted ({@code fi_rx_attr.size}).
     *
     * @return the value
     */
    long size();

    /**
     * Sets {@code fi_rx_attr.size}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    ReceiveAttributes size(long value);

    /**
     * Elements of one I/O vector ({@code fi_rx_attr.iov_limit}). Where jfabric adds one to each receive, so that a
     * message that is too long does no harm, one buffer fewer can be received into.
     *
     * @return the value
     */
    long iovLimit();

    /**
     * Sets {@code fi_rx_attr.iov_limit}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    ReceiveAttributes iovLimit(long value);
}
