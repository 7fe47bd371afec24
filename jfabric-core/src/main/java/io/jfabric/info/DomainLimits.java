// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.InfoMemory;

/**
 * How much a domain has of everything ({@code struct fi_domain_attr}, fi_domain(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public final class DomainLimits extends Attributes {
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
    public DomainLimits(InfoMemory memory) {
        super(memory, fi_info.domain_attr$offset(), "fi_domain_attr");
    }

    /**
     * Size of a memory key ({@code fi_domain_attr.mr_key_size}).
     *
     * @return the value, in bytes
     */
    public long mrKeySize() {
        return getLong(MR_KEY_SIZE);
    }

    /**
     * Sets {@code fi_domain_attr.mr_key_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public DomainLimits mrKeySize(long value) {
        putLong(MR_KEY_SIZE, value);
        return this;
    }

    /**
     * Size of immediate data ({@code fi_domain_attr.cq_data_size}).
     *
     * @return the value, in bytes
     */
    public long cqDataSize() {
        return getLong(CQ_DATA_SIZE);
    }

    /**
     * Sets {@code fi_domain_attr.cq_data_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public DomainLimits cqDataSize(long value) {
        putLong(CQ_DATA_SIZE, value);
        return this;
    }

    /**
     * Best number of completion queues ({@code fi_domain_attr.cq_cnt}).
     *
     * @return the value
     */
    public long cqCount() {
        return getLong(CQ_CNT);
    }

    /**
     * Sets {@code fi_domain_attr.cq_cnt}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits cqCount(long value) {
        putLong(CQ_CNT, value);
        return this;
    }

    /**
     * Best number of endpoints ({@code fi_domain_attr.ep_cnt}).
     *
     * @return the value
     */
    public long endpointCount() {
        return getLong(EP_CNT);
    }

    /**
     * Sets {@code fi_domain_attr.ep_cnt}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits endpointCount(long value) {
        putLong(EP_CNT, value);
        return this;
    }

    /**
     * Best number of transmit contexts ({@code fi_domain_attr.tx_ctx_cnt}).
     *
     * @return the value
     */
    public long txContextCount() {
        return getLong(TX_CTX_CNT);
    }

    /**
     * Sets {@code fi_domain_attr.tx_ctx_cnt}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits txContextCount(long value) {
        putLong(TX_CTX_CNT, value);
        return this;
    }

    /**
     * Best number of receive contexts ({@code fi_domain_attr.rx_ctx_cnt}).
     *
     * @return the value
     */
    public long rxContextCount() {
        return getLong(RX_CTX_CNT);
    }

    /**
     * Sets {@code fi_domain_attr.rx_ctx_cnt}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits rxContextCount(long value) {
        putLong(RX_CTX_CNT, value);
        return this;
    }

    /**
     * Transmit contexts of one endpoint ({@code fi_domain_attr.max_ep_tx_ctx}).
     *
     * @return the value
     */
    public long maxEndpointTxContexts() {
        return getLong(MAX_EP_TX_CTX);
    }

    /**
     * Sets {@code fi_domain_attr.max_ep_tx_ctx}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits maxEndpointTxContexts(long value) {
        putLong(MAX_EP_TX_CTX, value);
        return this;
    }

    /**
     * Receive contexts of one endpoint ({@code fi_domain_attr.max_ep_rx_ctx}).
     *
     * @return the value
     */
    public long maxEndpointRxContexts() {
        return getLong(MAX_EP_RX_CTX);
    }

    /**
     * Sets {@code fi_domain_attr.max_ep_rx_ctx}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits maxEndpointRxContexts(long value) {
        putLong(MAX_EP_RX_CTX, value);
        return this;
    }

    /**
     * Endpoints that share one transmit context ({@code fi_domain_attr.max_ep_stx_ctx}).
     *
     * @return the value
     */
    public long maxEndpointStxContexts() {
        return getLong(MAX_EP_STX_CTX);
    }

    /**
     * Sets {@code fi_domain_attr.max_ep_stx_ctx}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits maxEndpointStxContexts(long value) {
        putLong(MAX_EP_STX_CTX, value);
        return this;
    }

    /**
     * Endpoints that share one receive context ({@code fi_domain_attr.max_ep_srx_ctx}).
     *
     * @return the value
     */
    public long maxEndpointSrxContexts() {
        return getLong(MAX_EP_SRX_CTX);
    }

    /**
     * Sets {@code fi_domain_attr.max_ep_srx_ctx}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits maxEndpointSrxContexts(long value) {
        putLong(MAX_EP_SRX_CTX, value);
        return this;
    }

    /**
     * Best number of counters ({@code fi_domain_attr.cntr_cnt}).
     *
     * @return the value
     */
    public long counterCount() {
        return getLong(CNTR_CNT);
    }

    /**
     * Sets {@code fi_domain_attr.cntr_cnt}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits counterCount(long value) {
        putLong(CNTR_CNT, value);
        return this;
    }

    /**
     * Elements of one registered I/O vector ({@code fi_domain_attr.mr_iov_limit}).
     *
     * @return the value
     */
    public long mrIovLimit() {
        return getLong(MR_IOV_LIMIT);
    }

    /**
     * Sets {@code fi_domain_attr.mr_iov_limit}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits mrIovLimit(long value) {
        putLong(MR_IOV_LIMIT, value);
        return this;
    }

    /**
     * Size of provider data in error entries ({@code fi_domain_attr.max_err_data}).
     *
     * @return the value, in bytes
     */
    public long maxErrorData() {
        return getLong(MAX_ERR_DATA);
    }

    /**
     * Sets {@code fi_domain_attr.max_err_data}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public DomainLimits maxErrorData(long value) {
        putLong(MAX_ERR_DATA, value);
        return this;
    }

    /**
     * Best number of memory regions ({@code fi_domain_attr.mr_cnt}).
     *
     * @return the value
     */
    public long mrCount() {
        return getLong(MR_CNT);
    }

    /**
     * Sets {@code fi_domain_attr.mr_cnt}.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits mrCount(long value) {
        putLong(MR_CNT, value);
        return this;
    }

    /**
     * Authorisation keys of one endpoint ({@code fi_domain_attr.max_ep_auth_key}), since libfabric 1.20.
     *
     * @return the value; 0 when the loaded library is older
     */
    public long maxEndpointAuthKeys() {
        return since("1.20") ? getLong(MAX_EP_AUTH_KEY) : 0;
    }

    /**
     * Sets {@code fi_domain_attr.max_ep_auth_key}, since libfabric 1.20.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits maxEndpointAuthKeys(long value) {
        require("1.20", "fi_domain_attr.max_ep_auth_key");
        putLong(MAX_EP_AUTH_KEY, value);
        return this;
    }

    /**
     * Largest group id of an address ({@code fi_domain_attr.max_group_id}), since libfabric 2.0.
     *
     * @return the value; 0 when the loaded library is older
     */
    public int maxGroupId() {
        return since("2.0") ? getInt(MAX_GROUP_ID) : 0;
    }

    /**
     * Sets {@code fi_domain_attr.max_group_id}, since libfabric 2.0.
     *
     * @param value the value
     * @return this
     */
    public DomainLimits maxGroupId(int value) {
        require("2.0", "fi_domain_attr.max_group_id");
        putInt(MAX_GROUP_ID, value);
        return this;
    }
}
