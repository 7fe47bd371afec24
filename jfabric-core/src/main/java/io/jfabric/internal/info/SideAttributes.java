// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_tx_attr;
import io.jfabric.info.Capability;
import io.jfabric.info.CompletionOrder;
import io.jfabric.info.Flags;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.Mode;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.library.InfoMemory;

/** What the attributes of both sides of an endpoint begin with; {@code A} is their contract. */
abstract sealed class SideAttributes<A> extends AttributeView permits TransmitAttributesImpl, ReceiveAttributesImpl {
    // fi_rx_attr begins with the same fields
    private static final long CAPS = fi_tx_attr.caps$offset();
    private static final long MODE = fi_tx_attr.mode$offset();
    private static final long OP_FLAGS = fi_tx_attr.op_flags$offset();
    private static final long MSG_ORDER = fi_tx_attr.msg_order$offset();
    private static final long COMP_ORDER = fi_tx_attr.comp_order$offset();

    SideAttributes(InfoMemory memory, long pointerOffset, String struct) {
        super(memory, pointerOffset, struct);
    }

    abstract A self();

    public final Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(CAPS));
    }

    public final A capabilities(Flags<Capability> flags) {
        putLong(CAPS, Known.require(flags, "caps").bits());
        return self();
    }

    public final A capabilities(Capability... flags) {
        return capabilities(Flags.of(Capability.class, Arguments.all("capabilities", "a flag", flags)));
    }

    public final Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(MODE));
    }

    public final A mode(Flags<Mode> flags) {
        putLong(MODE, Known.require(flags, "mode").bits());
        return self();
    }

    public final A mode(Mode... flags) {
        return mode(Flags.of(Mode.class, Arguments.all("mode", "a flag", flags)));
    }

    public final Flags<OperationFlag> operationFlags() {
        return Flags.ofBits(OperationFlag.class, getLong(OP_FLAGS));
    }

    public final A operationFlags(Flags<OperationFlag> flags) {
        putLong(OP_FLAGS, Known.require(flags, "operationFlags").bits());
        return self();
    }

    public final A operationFlags(OperationFlag... flags) {
        return operationFlags(Flags.of(OperationFlag.class, Arguments.all("operationFlags", "a flag", flags)));
    }

    public final Flags<MessageOrder> messageOrder() {
        return Flags.ofBits(MessageOrder.class, getLong(MSG_ORDER));
    }

    public final A messageOrder(Flags<MessageOrder> flags) {
        putLong(MSG_ORDER, Known.require(flags, "messageOrder").bits());
        return self();
    }

    public final A messageOrder(MessageOrder... flags) {
        return messageOrder(Flags.of(MessageOrder.class, Arguments.all("messageOrder", "a flag", flags)));
    }

    public final Flags<CompletionOrder> completionOrder() {
        return Flags.ofBits(CompletionOrder.class, getLong(COMP_ORDER));
    }

    public final A completionOrder(Flags<CompletionOrder> flags) {
        putLong(COMP_ORDER, Known.require(flags, "completionOrder").bits());
        return self();
    }

    public final A completionOrder(CompletionOrder... flags) {
        return completionOrder(Flags.of(CompletionOrder.class, Arguments.all("completionOrder", "a flag", flags)));
    }
}
