// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fi_rx_attr;
import io.jfabric.ffi.InfoMemory;
import java.util.List;

/**
 * How an endpoint receives ({@code struct fi_rx_attr}, fi_endpoint(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public final class ReceiveAttributes extends Attributes {
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
    public ReceiveAttributes(InfoMemory memory) {
        super(memory, fi_info.rx_attr$offset(), "fi_rx_attr");
    }

    /**
     * Capabilities of this direction ({@code fi_rx_attr.caps}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(CAPS));
    }

    /**
     * Sets {@code fi_rx_attr.caps}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public ReceiveAttributes capabilities(Flags<Capability> flags) {
        putLong(CAPS, checked(flags, "caps").bits());
        return this;
    }

    /**
     * Sets {@code fi_rx_attr.caps} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public ReceiveAttributes capabilities(Capability... flags) {
        return capabilities(Flags.of(Capability.class, List.of(flags)));
    }

    /**
     * Demands on the application ({@code fi_rx_attr.mode}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(MODE));
    }

    /**
     * Sets {@code fi_rx_attr.mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public ReceiveAttributes mode(Flags<Mode> flags) {
        putLong(MODE, checked(flags, "mode").bits());
        return this;
    }

    /**
     * Sets {@code fi_rx_attr.mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public ReceiveAttributes mode(Mode... flags) {
        return mode(Flags.of(Mode.class, List.of(flags)));
    }

    /**
     * Flags that every operation without flags of its own uses ({@code fi_rx_attr.op_flags}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<OperationFlag> operationFlags() {
        return Flags.ofBits(OperationFlag.class, getLong(OP_FLAGS));
    }

    /**
     * Sets {@code fi_rx_attr.op_flags}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public ReceiveAttributes operationFlags(Flags<OperationFlag> flags) {
        putLong(OP_FLAGS, checked(flags, "operationFlags").bits());
        return this;
    }

    /**
     * Sets {@code fi_rx_attr.op_flags} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public ReceiveAttributes operationFlags(OperationFlag... flags) {
        return operationFlags(Flags.of(OperationFlag.class, List.of(flags)));
    }

    /**
     * Order of operations at the target ({@code fi_rx_attr.msg_order}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<MessageOrder> messageOrder() {
        return Flags.ofBits(MessageOrder.class, getLong(MSG_ORDER));
    }

    /**
     * Sets {@code fi_rx_attr.msg_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public ReceiveAttributes messageOrder(Flags<MessageOrder> flags) {
        putLong(MSG_ORDER, checked(flags, "messageOrder").bits());
        return this;
    }

    /**
     * Sets {@code fi_rx_attr.msg_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public ReceiveAttributes messageOrder(MessageOrder... flags) {
        return messageOrder(Flags.of(MessageOrder.class, List.of(flags)));
    }

    /**
     * Order of completions ({@code fi_rx_attr.comp_order}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<CompletionOrder> completionOrder() {
        return Flags.ofBits(CompletionOrder.class, getLong(COMP_ORDER));
    }

    /**
     * Sets {@code fi_rx_attr.comp_order}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public ReceiveAttributes completionOrder(Flags<CompletionOrder> flags) {
        putLong(COMP_ORDER, checked(flags, "completionOrder").bits());
        return this;
    }

    /**
     * Sets {@code fi_rx_attr.comp_order} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public ReceiveAttributes completionOrder(CompletionOrder... flags) {
        return completionOrder(Flags.of(CompletionOrder.class, List.of(flags)));
    }

    /**
     * Space for messages nobody has posted a buffer for ({@code fi_rx_attr.total_buffered_recv}).
     *
     * @return the value, in bytes
     */
    public long totalBufferedRecv() {
        return getLong(TOTAL_BUFFERED_RECV);
    }

    /**
     * Sets {@code fi_rx_attr.total_buffered_recv}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public ReceiveAttributes totalBufferedRecv(long value) {
        putLong(TOTAL_BUFFERED_RECV, value);
        return this;
    }

    /**
     * Receives that may be posted ({@code fi_rx_attr.size}).
     *
     * @return the value
     */
    public long size() {
        return getLong(SIZE);
    }

    /**
     * Sets {@code fi_rx_attr.size}.
     *
     * @param value the value
     * @return this
     */
    public ReceiveAttributes size(long value) {
        putLong(SIZE, value);
        return this;
    }

    /**
     * Elements of one I/O vector ({@code fi_rx_attr.iov_limit}).
     *
     * @return the value
     */
    public long iovLimit() {
        return getLong(IOV_LIMIT);
    }

    /**
     * Sets {@code fi_rx_attr.iov_limit}.
     *
     * @param value the value
     * @return this
     */
    public ReceiveAttributes iovLimit(long value) {
        putLong(IOV_LIMIT, value);
        return this;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_RX_ATTR());
    }
}
