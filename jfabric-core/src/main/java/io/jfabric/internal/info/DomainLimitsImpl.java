// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.DomainLimits;
import io.jfabric.internal.ffi.Newer;
import io.jfabric.internal.library.InfoMemory;

/** {@link DomainLimits}. */
public final class DomainLimitsImpl extends AttributeView implements DomainLimits {
    private static final long MR_KEY_SIZE = fi_domain_attr.mr_key_size$offset();
    private static final long CQ_DATA_SIZE = fi_domain_attr.cq_data_size$offset();
    private static final long CQ_CNT = fi_domain_attr.cq_cnt$offset();
    private static final long EP_CNT = fi_domain_attr.ep_cnt$offset();
    private static final long TX_CTX_CNT = fi_domain_attr.tx_ctx_cnt$offset();
    private static final long RX_CTX_CNT = fi_domain_attr.rx_ctx_cnt$offset();
    private static final long MAX_EP_TX_CTX = fi_domain_attr.max_ep_tx_ctx$offset();
    private static final long MAX_EP_RX_CTX = fi_domain_attr.max_ep_rx_ctx$offset();
    private static final long MAX_EP_STX_CTX = fi_domain_attr.max_ep_stx_ctx$offset();
    private static final long MAX_EP_SRX_CTX = fi_domain_attr.max_ep_srx_ctx$offset();
    private static final long CNTR_CNT = fi_domain_attr.cntr_cnt$offset();
    private static final long MR_IOV_LIMIT = fi_domain_attr.mr_iov_limit$offset();
    private static final long MAX_ERR_DATA = fi_domain_attr.max_err_data$offset();
    private static final long MR_CNT = fi_domain_attr.mr_cnt$offset();
    private static final long MAX_EP_AUTH_KEY = fi_domain_attr.max_ep_auth_key$offset();
    private static final long MAX_GROUP_ID = fi_domain_attr.max_group_id$offset();

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    @SuppressWarnings("exports")
    public DomainLimitsImpl(InfoMemory memory) {
        super(memory, fi_info.domain_attr$offset(), "fi_domain_attr");
    }

    @Override
    public long mrKeySize() {
        return getAmount(MR_KEY_SIZE);
    }

    @Override
    public DomainLimitsImpl mrKeySize(long value) {
        putLong(MR_KEY_SIZE, value);
        return this;
    }

    @Override
    public long cqDataSize() {
        return getAmount(CQ_DATA_SIZE);
    }

    @Override
    public DomainLimitsImpl cqDataSize(long value) {
        putLong(CQ_DATA_SIZE, value);
        return this;
    }

    @Override
    public long cqCount() {
        return getAmount(CQ_CNT);
    }

    @Override
    public DomainLimitsImpl cqCount(long value) {
        putLong(CQ_CNT, value);
        return this;
    }

    @Override
    public long endpointCount() {
        return getAmount(EP_CNT);
    }

    @Override
    public DomainLimitsImpl endpointCount(long value) {
        putLong(EP_CNT, value);
        return this;
    }

    @Override
    public long txContextCount() {
        return getAmount(TX_CTX_CNT);
    }

    @Override
    public DomainLimitsImpl txContextCount(long value) {
        putLong(TX_CTX_CNT, value);
        return this;
    }

    @Override
    public long rxContextCount() {
        return getAmount(RX_CTX_CNT);
    }

    @Override
    public DomainLimitsImpl rxContextCount(long value) {
        putLong(RX_CTX_CNT, value);
        return this;
    }

    @Override
    public long maxEndpointTxContexts() {
        return getAmount(MAX_EP_TX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointTxContexts(long value) {
        putLong(MAX_EP_TX_CTX, value);
        return this;
    }

    @Override
    public long maxEndpointRxContexts() {
        return getAmount(MAX_EP_RX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointRxContexts(long value) {
        putLong(MAX_EP_RX_CTX, value);
        return this;
    }

    @Override
    public long maxEndpointStxContexts() {
        return getAmount(MAX_EP_STX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointStxContexts(long value) {
        putLong(MAX_EP_STX_CTX, value);
        return this;
    }

    @Override
    public long maxEndpointSrxContexts() {
        return getAmount(MAX_EP_SRX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointSrxContexts(long value) {
        putLong(MAX_EP_SRX_CTX, value);
        return this;
    }

    @Override
    public long counterCount() {
        return getAmount(CNTR_CNT);
    }

    @Override
    public DomainLimitsImpl counterCount(long value) {
        putLong(CNTR_CNT, value);
        return this;
    }

    @Override
    public long mrIovLimit() {
        return getAmount(MR_IOV_LIMIT);
    }

    @Override
    public DomainLimitsImpl mrIovLimit(long value) {
        putLong(MR_IOV_LIMIT, value);
        return this;
    }

    @Override
    public long maxErrorData() {
        return getAmount(MAX_ERR_DATA);
    }

    @Override
    public DomainLimitsImpl maxErrorData(long value) {
        putLong(MAX_ERR_DATA, value);
        return this;
    }

    @Override
    public long mrCount() {
        return getAmount(MR_CNT);
    }

    @Override
    public DomainLimitsImpl mrCount(long value) {
        putLong(MR_CNT, value);
        return this;
    }

    @Override
    public long maxEndpointAuthKeys() {
        return since("1.20") ? getAmount(MAX_EP_AUTH_KEY) : 0;
    }

    @Override
    public DomainLimitsImpl maxEndpointAuthKeys(long value) {
        require("1.20", "fi_domain_attr.max_ep_auth_key");
        putLong(MAX_EP_AUTH_KEY, value);
        return this;
    }

    @Override
    public int maxGroupId() {
        return since("2.0") ? getInt(MAX_GROUP_ID) : 0;
    }

    @Override
    public DomainLimitsImpl maxGroupId(int value) {
        require("2.0", "fi_domain_attr.max_group_id");
        putInt(MAX_GROUP_ID, value);
        return this;
    }

    @Override
    public long maxCounterValue() {
        return since("2.5") ? getAmount(Newer.MAX_CNTR_VALUE) : 0;
    }

    @Override
    public DomainLimitsImpl maxCounterValue(long value) {
        require("2.5", "fi_domain_attr.max_cntr_value");
        putLong(Newer.MAX_CNTR_VALUE, value);
        return this;
    }

    @Override
    public long maxErrorCounterValue() {
        return since("2.5") ? getAmount(Newer.MAX_ERR_CNTR_VALUE) : 0;
    }

    @Override
    public DomainLimitsImpl maxErrorCounterValue(long value) {
        require("2.5", "fi_domain_attr.max_err_cntr_value");
        putLong(Newer.MAX_ERR_CNTR_VALUE, value);
        return this;
    }
}
