// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fi_tx_attr;
import io.jfabric.ffi.InfoMemory;
import java.util.List;

/**
 * How an endpoint sends ({@code struct fi_tx_attr}, fi_endpoint(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public final class TransmitAttributes extends Attributes {
    private static final long CAPS = fi_tx_attr.caps$offset();
    private static final long MODE = fi_tx_attr.mode$offset();
    private static final long OP_FLAGS = fi_tx_attr.op_flags$offset();
    private static final long MSG_ORDER = fi_tx_attr.msg_order$offset();
    private static final long COMP_ORDER = fi_tx_attr.comp_order$offset();
    private static final long INJECT_SIZE = fi_tx_attr.inject_size$offset();
    private static final long SIZE = fi_tx_attr.size$offset();
    private static final long IOV_LIMIT = fi_tx_attr.iov_limit$offset();
    private static final long RMA_IOV_LIMIT = fi_tx_attr.rma_iov_limit$offset();
    private static final long TCLASS = fi_tx_attr.tclass$offset();

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    @SuppressWarnings("exports")
    public TransmitAttributes(InfoMemory memory) {
        super(memory, fi_info.tx_attr$offset(), "fi_tx_attr");
    }

    /**
     * Capabilities of this direction ({@code fi_tx_attr.caps}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(CAPS));
    }

    /**
     * Sets {@code fi_tx_attr.caps}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public TransmitAttributes capabilities(Flags<Capability> flags) {
        putLong(CAPS, checked(flags, "caps").bits());
        return this;
    }

    /**
     * Sets {@code fi_tx_attr.caps} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public TransmitAttributes capabilities(Capability... flags) {
        return capabilities(Flags.of(Capability.class, List.of(flags)));
    }

    /**
     * Demands on the application ({@code fi_tx_attr.mode}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(MODE));
    }

    /**
     * Sets {@code fi_tx_attr.mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public TransmitAttributes mode(Flags<Mode> flags) {
        putLong(MODE, checked(flags, "mode").bits());
        return this;
    }

    /**
     * Sets {@code fi_tx_attr.mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public TransmitAttributes mode(Mode... flags) {
        return mode(Flags.of(Mode.class, List.of(flags)));
    }

    /**
     * Flags that every operation without flags of its own uses ({@code fi_tx_attr.op_flags}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<OperationFlag> operationFlags() {
        return Flags.ofBits(OperationFlag.class, getLong(OP_FLAGS));
    }

    /**
     * Sets {@code fi_tx_attr.op_flags}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public TransmitAttributes operationFlags(Flags<OperationFlag> flags) {
        putLong(OP_FLAGS, checked(flags, "operationFlags").bits());
        return this;
    }

    /**
     * Sets {@code fi_tx_attr.op_flags} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public TransmitAttributes operationFlags(OperationFlag... flags) {
        return operationFlags(Flags.of(OperationFlag.class, List.of(flags)));
    }

    /**
     * Order of operations at the target ({@code fi_tx_attr.msg_order}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<MessageOrder> messageOrder() {
        return Flags.ofBits(MessageOrder.class, getLong(MSG_ORDER));
    }

    /**
     * Sets {@code fi_tx_attr.msg_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public TransmitAttributes messageOrder(Flags<MessageOrder> flags) {
        putLong(MSG_ORDER, checked(flags, "messageOrder").bits());
        return this;
    }

    /**
     * Sets {@code fi_tx_attr.msg_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public TransmitAttributes messageOrder(MessageOrder... flags) {
        return messageOrder(Flags.of(MessageOrder.class, List.of(flags)));
    }

    /**
     * Order of completions ({@code fi_tx_attr.comp_order}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<CompletionOrder> completionOrder() {
        return Flags.ofBits(CompletionOrder.class, getLong(COMP_ORDER));
    }

    /**
     * Sets {@code fi_tx_attr.comp_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public TransmitAttributes completionOrder(Flags<CompletionOrder> flags) {
        putLong(COMP_ORDER, checked(flags, "completionOrder").bits());
        return this;
    }

    /**
     * Sets {@code fi_tx_attr.comp_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public TransmitAttributes completionOrder(CompletionOrder... flags) {
        return completionOrder(Flags.of(CompletionOrder.class, List.of(flags)));
    }

    /**
     * Largest message that inject takes ({@code fi_tx_attr.inject_size}).
     *
     * @return the value, in bytes
     */
    public long injectSize() {
        return getLong(INJECT_SIZE);
    }

    /**
     * Sets {@code fi_tx_attr.inject_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public TransmitAttributes injectSize(long value) {
        putLong(INJECT_SIZE, value);
        return this;
    }

    /**
     * Operations that may be outstanding ({@code fi_tx_attr.size}).
     *
     * @return the value
     */
    public long size() {
        return getLong(SIZE);
    }

    /**
     * Sets {@code fi_tx_attr.size}.
     *
     * @param value the value
     * @return this
     */
    public TransmitAttributes size(long value) {
        putLong(SIZE, value);
        return this;
    }

    /**
     * Elements of one I/O vector ({@code fi_tx_attr.iov_limit}).
     *
     * @return the value
     */
    public long iovLimit() {
        return getLong(IOV_LIMIT);
    }

    /**
     * Sets {@code fi_tx_attr.iov_limit}.
     *
     * @param value the value
     * @return this
     */
    public TransmitAttributes iovLimit(long value) {
        putLong(IOV_LIMIT, value);
        return this;
    }

    /**
     * Elements of one remote I/O vector ({@code fi_tx_attr.rma_iov_limit}).
     *
     * @return the value
     */
    public long rmaIovLimit() {
        return getLong(RMA_IOV_LIMIT);
    }

    /**
     * Sets {@code fi_tx_attr.rma_iov_limit}.
     *
     * @param value the value
     * @return this
     */
    public TransmitAttributes rmaIovLimit(long value) {
        putLong(RMA_IOV_LIMIT, value);
        return this;
    }

    /**
     * Service level asked of the network ({@code fi_tx_attr.tclass}).
     *
     * @return the constant, {@link TrafficClass#UNRECOGNIZED} for a value jfabric does not know
     */
    public TrafficClass trafficClass() {
        return TrafficClass.ofCode(getInt(TCLASS));
    }

    /**
     * Service level asked of the network, as a number.
     *
     * @return the value of {@code fi_tx_attr.tclass}
     */
    public int trafficClassCode() {
        return getInt(TCLASS);
    }

    /**
     * Sets {@code fi_tx_attr.tclass}.
     *
     * @param value the constant
     * @return this
     */
    public TransmitAttributes trafficClass(TrafficClass value) {
        return trafficClassCode(Constants.codeOf(value, TrafficClass.UNRECOGNIZED, "trafficClass"));
    }

    /**
     * Sets {@code fi_tx_attr.tclass} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public TransmitAttributes trafficClassCode(int code) {
        putInt(TCLASS, code);
        return this;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_TX_ATTR());
    }
}
