// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.DomainLimitsImpl;

/**
 * How much a domain has of everything ({@code struct fi_domain_attr}, fi_domain(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 *
 * <p>Amounts are unsigned in C: one above {@link Long#MAX_VALUE} means that there is no limit, and is read as
 * {@code Long.MAX_VALUE}. In hints, 0 demands nothing. Fields that are newer than the loaded library cannot be set:
 * {@code FI_ENOSYS}.
 */
public sealed interface DomainLimits permits DomainLimitsImpl {
    /**
     * Size of a memory key ({@code fi_domain_attr.mr_key_size}).
     *
     * @return the value, in bytes
     */
    long mrKeySize();

    /**
     * Sets {@code fi_domain_attr.mr_key_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits mrKeySize(long value);

    /**
     * Size of immediate data, which C calls remote CQ data ({@code fi_domain_attr.cq_data_size}).
     *
     * @return the value, in bytes; 0 if there is none
     */
    long cqDataSize();

    /**
     * Sets {@code fi_domain_attr.cq_data_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits cqDataSize(long value);

    /**
     * Optimal number of completion queues ({@code fi_domain_attr.cq_cnt}).
     *
     * @return the value
     */
    long cqCount();

    /**
     * Sets {@code fi_domain_attr.cq_cnt}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits cqCount(long value);

    /**
     * Number of endpoints ({@code fi_domain_attr.ep_cnt}).
     *
     * @return the value
     */
    long endpointCount();

    /**
     * Sets {@code fi_domain_attr.ep_cnt}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits endpointCount(long value);

    /**
     * Optimal number of transmit contexts ({@code fi_domain_attr.tx_ctx_cnt}).
     *
     * @return the value
     */
    long txContextCount();

    /**
     * Sets {@code fi_domain_attr.tx_ctx_cnt}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits txContextCount(long value);

    /**
     * Optimal number of receive contexts ({@code fi_domain_attr.rx_ctx_cnt}).
     *
     * @return the value
     */
    long rxContextCount();

    /**
     * Sets {@code fi_domain_attr.rx_ctx_cnt}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits rxContextCount(long value);

    /**
     * Largest number of transmit contexts of one endpoint ({@code fi_domain_attr.max_ep_tx_ctx}).
     *
     * @return the value
     */
    long maxEndpointTxContexts();

    /**
     * Sets {@code fi_domain_attr.max_ep_tx_ctx}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxEndpointTxContexts(long value);

    /**
     * Largest number of receive contexts of one endpoint ({@code fi_domain_attr.max_ep_rx_ctx}).
     *
     * @return the value
     */
    long maxEndpointRxContexts();

    /**
     * Sets {@code fi_domain_attr.max_ep_rx_ctx}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxEndpointRxContexts(long value);

    /**
     * Largest number of endpoints that share one transmit context ({@code fi_domain_attr.max_ep_stx_ctx}).
     *
     * @return the value
     */
    long maxEndpointStxContexts();

    /**
     * Sets {@code fi_domain_attr.max_ep_stx_ctx}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxEndpointStxContexts(long value);

    /**
     * Largest number of endpoints that share one receive context ({@code fi_domain_attr.max_ep_srx_ctx}).
     *
     * @return the value
     */
    long maxEndpointSrxContexts();

    /**
     * Sets {@code fi_domain_attr.max_ep_srx_ctx}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxEndpointSrxContexts(long value);

    /**
     * Optimal number of counters ({@code fi_domain_attr.cntr_cnt}).
     *
     * @return the value
     */
    long counterCount();

    /**
     * Sets {@code fi_domain_attr.cntr_cnt}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits counterCount(long value);

    /**
     * Largest number of buffers in one memory region ({@code fi_domain_attr.mr_iov_limit}).
     *
     * @return the value
     */
    long mrIovLimit();

    /**
     * Sets {@code fi_domain_attr.mr_iov_limit}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits mrIovLimit(long value);

    /**
     * Largest size of the provider's data in error entries ({@code fi_domain_attr.max_err_data}).
     *
     * @return the value, in bytes
     */
    long maxErrorData();

    /**
     * Sets {@code fi_domain_attr.max_err_data}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxErrorData(long value);

    /**
     * Optimal number of memory regions ({@code fi_domain_attr.mr_cnt}).
     *
     * @return the value
     */
    long mrCount();

    /**
     * Sets {@code fi_domain_attr.mr_cnt}.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits mrCount(long value);

    /**
     * Largest number of authorisation keys of one endpoint ({@code fi_domain_attr.max_ep_auth_key}), since libfabric
     * 1.20.
     *
     * @return the value; 0 when the loaded library is older
     */
    long maxEndpointAuthKeys();

    /**
     * Sets {@code fi_domain_attr.max_ep_auth_key}, since libfabric 1.20.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxEndpointAuthKeys(long value);

    /**
     * Largest id of a group of peers ({@code fi_domain_attr.max_group_id}), since libfabric 2.0.
     *
     * @return the value; 0 when the loaded library is older
     */
    int maxGroupId();

    /**
     * Sets {@code fi_domain_attr.max_group_id}, since libfabric 2.0.
     *
     * @param value the value
     * @return this
     */
    DomainLimits maxGroupId(int value);

    /**
     * Largest value of a counter ({@code fi_domain_attr.max_cntr_value}), since libfabric 2.5.
     *
     * @return the value; 0 when the loaded library is older, or did not say
     */
    long maxCounterValue();

    /**
     * Sets {@code fi_domain_attr.max_cntr_value}, since libfabric 2.5.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxCounterValue(long value);

    /**
     * Largest number of errors of a counter ({@code fi_domain_attr.max_err_cntr_value}), since libfabric 2.5.
     *
     * @return the value; 0 when the loaded library is older, or did not say
     */
    long maxErrorCounterValue();

    /**
     * Sets {@code fi_domain_attr.max_err_cntr_value}, since libfabric 2.5.
     *
     * @param value the value, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    DomainLimits maxErrorCounterValue(long value);
}
