// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.TransmitAttributesImpl;

/**
 * How an endpoint sends ({@code struct fi_tx_attr}, fi_endpoint(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 *
 * <p>Amounts are unsigned in C: one above {@link Long#MAX_VALUE} means that there is no limit, and is read as
 * {@code Long.MAX_VALUE}. In hints, 0 demands nothing.
 */
public sealed interface TransmitAttributes permits TransmitAttributesImpl {
    /**
     * Capabilities of this direction ({@code fi_tx_attr.caps}).
     *
     * @return the flags, unknown bits included
     */
    Flags<Capability> capabilities();

    /**
     * Sets {@code fi_tx_attr.caps}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    TransmitAttributes capabilities(Flags<Capability> flags);

    /**
     * Sets {@code fi_tx_attr.caps} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    TransmitAttributes capabilities(Capability... flags);

    /**
     * Demands on the application ({@code fi_tx_attr.mode}).
     *
     * @return the flags, unknown bits included
     */
    Flags<Mode> mode();

    /**
     * Sets {@code fi_tx_attr.mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    TransmitAttributes mode(Flags<Mode> flags);

    /**
     * Sets {@code fi_tx_attr.mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    TransmitAttributes mode(Mode... flags);

    /**
     * Flags that every operation without flags of its own uses ({@code fi_tx_attr.op_flags}).
     *
     * @return the flags, unknown bits included
     */
    Flags<OperationFlag> operationFlags();

    /**
     * Sets {@code fi_tx_attr.op_flags}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    TransmitAttributes operationFlags(Flags<OperationFlag> flags);

    /**
     * Sets {@code fi_tx_attr.op_flags} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    TransmitAttributes operationFlags(OperationFlag... flags);

    /**
     * Order of operations at the target ({@code fi_tx_attr.msg_order}).
     *
     * @return the flags, unknown bits included
     */
    Flags<MessageOrder> messageOrder();

    /**
     * Sets {@code fi_tx_attr.msg_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    TransmitAttributes messageOrder(Flags<MessageOrder> flags);

    /**
     * Sets {@code fi_tx_attr.msg_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    TransmitAttributes messageOrder(MessageOrder... flags);

    /**
     * Order of completions ({@code fi_tx_attr.comp_order}).
     *
     * @return the flags, unknown bits included
     */
    Flags<CompletionOrder> completionOrder();

    /**
     * Sets {@code fi_tx_attr.comp_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    TransmitAttributes completionOrder(Flags<CompletionOrder> flags);

    /**
     * Sets {@code fi_tx_attr.comp_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    TransmitAttributes completionOrder(CompletionOrder... flags);

    /**
     * Largest message that inject takes ({@code fi_tx_attr.inject_size}).
     *
     * @return the value, in bytes
     */
    long injectSize();

    /**
     * Sets {@code fi_tx_attr.inject_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    TransmitAttributes injectSize(long value);

    /**
     * Operations that may be outstanding ({@code fi_tx_attr.size}).
     *
     * @return the value
     */
    long size();

    /**
     * Sets {@code fi_tx_attr.size}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    TransmitAttributes size(long value);

    /**
     * Elements of one I/O vector ({@code fi_tx_attr.iov_limit}).
     *
     * @return the value
     */
    long iovLimit();

    /**
     * Sets {@code fi_tx_attr.iov_limit}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    TransmitAttributes iovLimit(long value);

    /**
     * Elements of one remote I/O vector ({@code fi_tx_attr.rma_iov_limit}).
     *
     * @return the value
     */
    long rmaIovLimit();

    /**
     * Sets {@code fi_tx_attr.rma_iov_limit}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    TransmitAttributes rmaIovLimit(long value);

    /**
     * Service level asked of the network ({@code fi_tx_attr.tclass}).
     *
     * @return the constant, {@link TrafficClass#UNRECOGNIZED} for a value jfabric does not know
     */
    TrafficClass trafficClass();

    /**
     * Service level asked of the network, as a number.
     *
     * @return the value of {@code fi_tx_attr.tclass}
     */
    int trafficClassCode();

    /**
     * Sets {@code fi_tx_attr.tclass}.
     *
     * @param value the constant
     * @return this
     */
    TransmitAttributes trafficClass(TrafficClass value);

    /**
     * Sets {@code fi_tx_attr.tclass} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    TransmitAttributes trafficClassCode(int code);
}
