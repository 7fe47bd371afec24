// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fi_tx_attr;
import io.jfabric.info.TrafficClass;
import io.jfabric.info.TransmitAttributes;
import io.jfabric.internal.library.InfoMemory;

/** {@link TransmitAttributes}. */
public final class TransmitAttributesImpl extends SideAttributes<TransmitAttributes> implements TransmitAttributes {
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
    public TransmitAttributesImpl(InfoMemory memory) {
        super(memory, fi_info.tx_attr$offset(), "fi_tx_attr");
    }

    @Override
    TransmitAttributes self() {
        return this;
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
