// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.DomainLimits;
import io.jfabric.info.Version;
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
    private static final Version AUTH_KEYS = new Version(1, 20);
    private static final Version GROUPS = new Version(2, 0);
    private static final Version COUNTERS = new Version(2, 5);

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    public DomainLimitsImpl(InfoMemory memory) {
        super(memory, fi_info.domain_attr$offset(), "fi_domain_attr");
    }

    @Override
    public long mrKeySize() {
        return getAmount(MR_KEY_SIZE);
    }

    @Override
    public DomainLimitsImpl mrKeySize(long value) {
        putAmount(MR_KEY_SIZE, "mr_key_size", value);
        return this;
    }

    @Override
    public long cqDataSize() {
        return getAmount(CQ_DATA_SIZE);
    }

    @Override
    public DomainLimitsImpl cqDataSize(long value) {
        putAmount(CQ_DATA_SIZE, "cq_data_size", value);
        return this;
    }

    @Override
    public long cqCount() {
        return getAmount(CQ_CNT);
    }

    @Override
    public DomainLimitsImpl cqCount(long value) {
        putAmount(CQ_CNT, "cq_cnt", value);
        return this;
    }

    @Override
    public long endpointCount() {
        return getAmount(EP_CNT);
    }

    @Override
    public DomainLimitsImpl endpointCount(long value) {
        putAmount(EP_CNT, "ep_cnt", value);
        return this;
    }

    @Override
    public long txContextCount() {
        return getAmount(TX_CTX_CNT);
    }

    @Override
    public DomainLimitsImpl txContextCount(long value) {
        putAmount(TX_CTX_CNT, "tx_ctx_cnt", value);
        return this;
    }

    @Override
    public long rxContextCount() {
        return getAmount(RX_CTX_CNT);
    }

    @Override
    public DomainLimitsImpl rxContextCount(long value) {
        putAmount(RX_CTX_CNT, "rx_ctx_cnt", value);
        return this;
    }

    @Override
    public long maxEndpointTxContexts() {
        return getAmount(MAX_EP_TX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointTxContexts(long value) {
        putAmount(MAX_EP_TX_CTX, "max_ep_tx_ctx", value);
        return this;
    }

    @Override
    public long maxEndpointRxContexts() {
        return getAmount(MAX_EP_RX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointRxContexts(long value) {
        putAmount(MAX_EP_RX_CTX, "max_ep_rx_ctx", value);
        return this;
    }

    @Override
    public long maxEndpointStxContexts() {
        return getAmount(MAX_EP_STX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointStxContexts(long value) {
        putAmount(MAX_EP_STX_CTX, "max_ep_stx_ctx", value);
        return this;
    }

    @Override
    public long maxEndpointSrxContexts() {
        return getAmount(MAX_EP_SRX_CTX);
    }

    @Override
    public DomainLimitsImpl maxEndpointSrxContexts(long value) {
        putAmount(MAX_EP_SRX_CTX, "max_ep_srx_ctx", value);
        return this;
    }

    @Override
    public long counterCount() {
        return getAmount(CNTR_CNT);
    }

    @Override
    public DomainLimitsImpl counterCount(long value) {
        putAmount(CNTR_CNT, "cntr_cnt", value);
        return this;
    }

    @Override
    public long mrIovLimit() {
        return getAmount(MR_IOV_LIMIT);
    }

    @Override
    public DomainLimitsImpl mrIovLimit(long value) {
        putAmount(MR_IOV_LIMIT, "mr_iov_limit", value);
        return this;
    }

    @Override
    public long maxErrorData() {
        return getAmount(MAX_ERR_DATA);
    }

    @Override
    public DomainLimitsImpl maxErrorData(long value) {
        putAmount(MAX_ERR_DATA, "max_err_data", value);
        return this;
    }

    @Override
    public long mrCount() {
        return getAmount(MR_CNT);
    }

    @Override
    public DomainLimitsImpl mrCount(long value) {
        putAmount(MR_CNT, "mr_cnt", value);
        return this;
    }

    @Override
    public long maxEndpointAuthKeys() {
        return Known.since(AUTH_KEYS) ? getAmount(MAX_EP_AUTH_KEY) : 0;
    }

    @Override
    public DomainLimitsImpl maxEndpointAuthKeys(long value) {
        Known.require("set fi_domain_attr.max_ep_auth_key", "it", AUTH_KEYS);
        putAmount(MAX_EP_AUTH_KEY, "max_ep_auth_key", value);
        return this;
    }

    @Override
    public int maxGroupId() {
        return Known.since(GROUPS) ? getInt(MAX_GROUP_ID) : 0;
    }

    @Override
    public DomainLimitsImpl maxGroupId(int value) {
        Known.require("set fi_domain_attr.max_group_id", "it", GROUPS);
        putInt(MAX_GROUP_ID, value);
        return this;
    }

    @Override
    public long maxCounterValue() {
        return Known.since(COUNTERS) ? getAmount(Newer.MAX_CNTR_VALUE) : 0;
    }

    @Override
    public DomainLimitsImpl maxCounterValue(long value) {
        Known.require("set fi_domain_attr.max_cntr_value", "it", COUNTERS);
        putAmount(Newer.MAX_CNTR_VALUE, "max_cntr_value", value);
        return this;
    }

    @Override
    public long maxErrorCounterValue() {
        return Known.since(COUNTERS) ? getAmount(Newer.MAX_ERR_CNTR_VALUE) : 0;
    }

    @Override
    public DomainLimitsImpl maxErrorCounterValue(long value) {
        Known.require("set fi_domain_attr.max_err_cntr_value", "it", COUNTERS);
        putAmount(Newer.MAX_ERR_CNTR_VALUE, "max_err_cntr_value", value);
        return this;
    }
}
