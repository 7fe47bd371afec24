// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fi_rx_attr;
import io.jfabric.info.ReceiveAttributes;
import io.jfabric.internal.library.InfoMemory;

/** {@link ReceiveAttributes}. */
public final class ReceiveAttributesImpl extends SideAttributes<ReceiveAttributes> implements ReceiveAttributes {
    private static final long TOTAL_BUFFERED_RECV = fi_rx_attr.total_buffered_recv$offset();
    private static final long SIZE = fi_rx_attr.size$offset();
    private static final long IOV_LIMIT = fi_rx_attr.iov_limit$offset();

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    public ReceiveAttributesImpl(InfoMemory memory) {
        super(memory, fi_info.rx_attr$offset(), "fi_rx_attr");
    }

    @Override
    ReceiveAttributes self() {
        return this;
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
