// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fi_tx_attr;
import io.jfabric.info.Capability;
import io.jfabric.info.CompletionOrder;
import io.jfabric.info.Flags;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.Mode;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.TrafficClass;
import io.jfabric.info.TransmitAttributes;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.library.InfoMemory;

/** {@link TransmitAttributes}. */
public final class TransmitAttributesImpl extends AttributeView implements TransmitAttributes {
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
    public TransmitAttributesImpl(InfoMemory memory) {
        super(memory, fi_info.tx_attr$offset(), "fi_tx_attr");
    }

    @Override
    public Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(CAPS));
    }

    @Override
    public TransmitAttributesImpl capabilities(Flags<Capability> flags) {
        putLong(CAPS, Known.require(flags, "caps").bits());
        return this;
    }

    @Override
    public TransmitAttributesImpl capabilities(Capability... flags) {
        return capabilities(Flags.of(Capability.class, Arguments.all("capabilities", "a flag", flags)));
    }

    @Override
    public Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(MODE));
    }

    @Override
    public TransmitAttributesImpl mode(Flags<Mode> flags) {
        putLong(MODE, Known.require(flags, "mode").bits());
        return this;
    }

    @Override
    public TransmitAttributesImpl mode(Mode... flags) {
        return mode(Flags.of(Mode.class, Arguments.all("mode", "a flag", flags)));
    }

    @Override
    public Flags<OperationFlag> operationFlags() {
        return Flags.ofBits(OperationFlag.class, getLong(OP_FLAGS));
    }

    @Override
    public TransmitAttributesImpl operationFlags(Flags<OperationFlag> flags) {
        putLong(OP_FLAGS, Known.require(flags, "operationFlags").bits());
        return this;
    }

    @Override
    public TransmitAttributesImpl operationFlags(OperationFlag... flags) {
        return operationFlags(Flags.of(OperationFlag.class, Arguments.all("operationFlags", "a flag", flags)));
    }

    @Override
    public Flags<MessageOrder> messageOrder() {
        return Flags.ofBits(MessageOrder.class, getLong(MSG_ORDER));
    }

    @Override
    public TransmitAttributesImpl messageOrder(Flags<MessageOrder> flags) {
        putLong(MSG_ORDER, Known.require(flags, "messageOrder").bits());
        return this;
    }

    @Override
    public TransmitAttributesImpl messageOrder(MessageOrder... flags) {
        return messageOrder(Flags.of(MessageOrder.class, Arguments.all("messageOrder", "a flag", flags)));
    }

    @Override
    public Flags<CompletionOrder> completionOrder() {
        return Flags.ofBits(CompletionOrder.class, getLong(COMP_ORDER));
    }

    @Override
    public TransmitAttributesImpl completionOrder(Flags<CompletionOrder> flags) {
        putLong(COMP_ORDER, Known.require(flags, "completionOrder").bits());
        return this;
    }

    @Override
    public TransmitAttributesImpl completionOrder(CompletionOrder... flags) {
        return completionOrder(Flags.of(CompletionOrder.class, Arguments.all("completionOrder", "a flag", flags)));
    }

    @Override
    public long injectSize() {
        return getAmount(INJECT_SIZE);
    }

    @Override
    public TransmitAttributesImpl injectSize(long value) {
        putAmount(INJECT_SIZE, "inject_size", value);
        return this;
    }

    @Override
    public long size() {
        return getAmount(SIZE);
    }

    @Override
    public TransmitAttributesImpl size(long value) {
        putAmount(SIZE, "size", value);
        return this;
    }

    @Override
    public long iovLimit() {
        return getAmount(IOV_LIMIT);
    }

    @Override
    public TransmitAttributesImpl iovLimit(long value) {
        putAmount(IOV_LIMIT, "iov_limit", value);
        return this;
    }

    @Override
    public long rmaIovLimit() {
        return getAmount(RMA_IOV_LIMIT);
    }

    @Override
    public TransmitAttributesImpl rmaIovLimit(long value) {
        putAmount(RMA_IOV_LIMIT, "rma_iov_limit", value);
        return this;
    }

    @Override
    public TrafficClass trafficClass() {
        return TrafficClass.ofCode(getInt(TCLASS));
    }

    @Override
    public int trafficClassCode() {
        return getInt(TCLASS);
    }

    @Override
    public TransmitAttributesImpl trafficClass(TrafficClass value) {
        return trafficClassCode(Constants.codeOf(value, TrafficClass.UNRECOGNIZED, "trafficClass"));
    }

    @Override
    public TransmitAttributesImpl trafficClassCode(int code) {
        putInt(TCLASS, code);
        return this;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_TX_ATTR());
    }
}
