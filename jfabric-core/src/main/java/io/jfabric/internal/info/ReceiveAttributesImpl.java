// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fi_rx_attr;
import io.jfabric.info.Capability;
import io.jfabric.info.CompletionOrder;
import io.jfabric.info.Flags;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.Mode;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.ReceiveAttributes;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.library.InfoMemory;

/** {@link ReceiveAttributes}. */
public final class ReceiveAttributesImpl extends AttributeView implements ReceiveAttributes {
    private static final long CAPS = fi_rx_attr.caps$offset();
    private static final long MODE = fi_rx_attr.mode$offset();
    private static final long OP_FLAGS = fi_rx_attr.op_flags$offset();
    private static final long MSG_ORDER = fi_rx_attr.msg_order$offset();
    private static final long COMP_ORDER = fi_rx_attr.comp_order$offset();
    private static final long TOTAL_BUFFERED_RECV = fi_rx_attr.total_buffered_recv$offset();
    private static final long SIZE = fi_rx_attr.size$offset();
    private static final long IOV_LIMIT = fi_rx_attr.iov_limit$offset();

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    @SuppressWarnings("exports")
    public ReceiveAttributesImpl(InfoMemory memory) {
        super(memory, fi_info.rx_attr$offset(), "fi_rx_attr");
    }

    @Override
    public Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(CAPS));
    }

    @Override
    public ReceiveAttributesImpl capabilities(Flags<Capability> flags) {
        putLong(CAPS, Known.require(flags, "caps").bits());
        return this;
    }

    @Override
    public ReceiveAttributesImpl capabilities(Capability... flags) {
        return capabilities(Flags.of(Capability.class, Arguments.all("capabilities", "a flag", flags)));
    }

    @Override
    public Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(MODE));
    }

    @Override
    public ReceiveAttributesImpl mode(Flags<Mode> flags) {
        putLong(MODE, Known.require(flags, "mode").bits());
        return this;
    }

    @Override
    public ReceiveAttributesImpl mode(Mode... flags) {
        return mode(Flags.of(Mode.class, Arguments.all("mode", "a flag", flags)));
    }

    @Override
    public Flags<OperationFlag> operationFlags() {
        return Flags.ofBits(OperationFlag.class, getLong(OP_FLAGS));
    }

    @Override
    public ReceiveAttributesImpl operationFlags(Flags<OperationFlag> flags) {
        putLong(OP_FLAGS, Known.require(flags, "operationFlags").bits());
        return this;
    }

    @Override
    public ReceiveAttributesImpl operationFlags(OperationFlag... flags) {
        return operationFlags(Flags.of(OperationFlag.class, Arguments.all("operationFlags", "a flag", flags)));
    }

    @Override
    public Flags<MessageOrder> messageOrder() {
        return Flags.ofBits(MessageOrder.class, getLong(MSG_ORDER));
    }

    @Override
    public ReceiveAttributesImpl messageOrder(Flags<MessageOrder> flags) {
        putLong(MSG_ORDER, Known.require(flags, "messageOrder").bits());
        return this;
    }

    @Override
    public ReceiveAttributesImpl messageOrder(MessageOrder... flags) {
        return messageOrder(Flags.of(MessageOrder.class, Arguments.all("messageOrder", "a flag", flags)));
    }

    @Override
    public Flags<CompletionOrder> completionOrder() {
        return Flags.ofBits(CompletionOrder.class, getLong(COMP_ORDER));
    }

    @Override
    public ReceiveAttributesImpl completionOrder(Flags<CompletionOrder> flags) {
        putLong(COMP_ORDER, Known.require(flags, "completionOrder").bits());
        return this;
    }

    @Override
    public ReceiveAttributesImpl completionOrder(CompletionOrder... flags) {
        return completionOrder(Flags.of(CompletionOrder.class, Arguments.all("completionOrder", "a flag", flags)));
    }

    @Override
    public long totalBufferedRecv() {
        return getAmount(TOTAL_BUFFERED_RECV);
    }

    @Override
    public ReceiveAttributesImpl totalBufferedRecv(long value) {
        putAmount(TOTAL_BUFFERED_RECV, "total_buffered_recv", value);
        return this;
    }

    @Override
    public long size() {
        return getAmount(SIZE);
    }

    @Override
    public ReceiveAttributesImpl size(long value) {
        putAmount(SIZE, "size", value);
        return this;
    }

    @Override
    public long iovLimit() {
        return getAmount(IOV_LIMIT);
    }

    @Override
    public ReceiveAttributesImpl iovLimit(long value) {
        putAmount(IOV_LIMIT, "iov_limit", value);
        return this;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_RX_ATTR());
    }
}
