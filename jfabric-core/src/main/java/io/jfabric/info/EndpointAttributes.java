// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.EndpointAttributesImpl;

/**
 * What an endpoint is ({@code struct fi_ep_attr}, fi_endpoint(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 *
 * <p>Amounts are unsigned in C: one above {@link Long#MAX_VALUE} means that there is no limit, and is read as
 * {@code Long.MAX_VALUE}. In hints, 0 demands nothing.
 */
public sealed interface EndpointAttributes permits EndpointAttributesImpl {
    /** Asks for a shared context where a number of contexts is expected ({@code FI_SHARED_CONTEXT}). */
    long SHARED_CONTEXT = -1L;

    /**
     * Connected, datagram or reliable datagram ({@code fi_ep_attr.type}).
     *
     * @return the constant, {@link EndpointType#UNRECOGNIZED} for a value jfabric does not know
     */
    EndpointType type();

    /**
     * Connected, datagram or reliable datagram, as a number.
     *
     * @return the value of {@code fi_ep_attr.type}
     */
    int typeCode();

    /**
     * Sets {@code fi_ep_attr.type}.
     *
     * @param type the constant
     * @return this
     */
    EndpointAttributes type(EndpointType type);

    /**
     * Sets {@code fi_ep_attr.type} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    EndpointAttributes typeCode(int code);

    /**
     * Wire protocol ({@code fi_ep_attr.protocol}).
     *
     * @return the constant, {@link Protocol#UNRECOGNIZED} for a value jfabric does not know
     */
    Protocol protocol();

    /**
     * Wire protocol, as a number.
     *
     * @return the value of {@code fi_ep_attr.protocol}
     */
    int protocolCode();

    /**
     * Sets {@code fi_ep_attr.protocol}.
     *
     * @param protocol the constant
     * @return this
     */
    EndpointAttributes protocol(Protocol protocol);

    /**
     * Sets {@code fi_ep_attr.protocol} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    EndpointAttributes protocolCode(int code);

    /**
     * Version of the wire protocol ({@code fi_ep_attr.protocol_version}).
     *
     * @return the value
     */
    int protocolVersion();

    /**
     * Sets {@code fi_ep_attr.protocol_version}.
     *
     * @param value the value
     * @return this
     */
    EndpointAttributes protocolVersion(int value);

    /**
     * Largest message ({@code fi_ep_attr.max_msg_size}).
     *
     * @return the value, in bytes; {@link Long#MAX_VALUE} for no limit, as on {@code shm} and {@code tcp}
     */
    long maxMessageSize();

    /**
     * Sets {@code fi_ep_attr.max_msg_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    EndpointAttributes maxMessageSize(long value);

    /**
     * Space in front of message buffers, see {@link Mode#MSG_PREFIX} ({@code fi_ep_attr.msg_prefix_size}).
     *
     * @return the value, in bytes
     */
    long messagePrefixSize();

    /**
     * Sets {@code fi_ep_attr.msg_prefix_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    EndpointAttributes messagePrefixSize(long value);

    /**
     * Size up to which a read of the same memory after a write is ordered ({@code fi_ep_attr.max_order_raw_size}).
     *
     * @return the value, in bytes; 0 if there is no order
     */
    long maxOrderRawSize();

    /**
     * Sets {@code fi_ep_attr.max_order_raw_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    EndpointAttributes maxOrderRawSize(long value);

    /**
     * Size up to which a write to the same memory after a read is ordered ({@code fi_ep_attr.max_order_war_size}).
     *
     * @return the value, in bytes; 0 if there is no order
     */
    long maxOrderWarSize();

    /**
     * Sets {@code fi_ep_attr.max_order_war_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    EndpointAttributes maxOrderWarSize(long value);

    /**
     * Size up to which a write to the same memory after a write is ordered ({@code fi_ep_attr.max_order_waw_size}).
     *
     * @return the value, in bytes; 0 if there is no order
     */
    long maxOrderWawSize();

    /**
     * Sets {@code fi_ep_attr.max_order_waw_size}.
     *
     * @param value the value, in bytes, not negative
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    EndpointAttributes maxOrderWawSize(long value);

    /**
     * How tags are made up ({@code fi_ep_attr.mem_tag_format}): the code of a {@link TagFormat}, or else a pattern of
     * fields. Tags must leave out the bits that are its leading zeros; below, each change between 0 and 1 begins
     * another field, which {@code ignore} covers as a whole or not at all.
     *
     * @return the value
     */
    long memTagFormat();

    /**
     * Sets {@code fi_ep_attr.mem_tag_format}.
     *
     * @param value the value
     * @return this
     */
    EndpointAttributes memTagFormat(long value);

    /**
     * Transmit contexts; {@link #SHARED_CONTEXT} for a shared one ({@code fi_ep_attr.tx_ctx_cnt}).
     *
     * @return the value
     */
    long txContextCount();

    /**
     * Sets {@code fi_ep_attr.tx_ctx_cnt}.
     *
     * @param value the value, not negative, or {@link #SHARED_CONTEXT}
     * @return this
     * @throws IllegalArgumentException if it is negative, and not {@link #SHARED_CONTEXT}
     */
    EndpointAttributes txContextCount(long value);

    /**
     * Receive contexts; {@link #SHARED_CONTEXT} for a shared one ({@code fi_ep_attr.rx_ctx_cnt}).
     *
     * @return the value
     */
    long rxContextCount();

    /**
     * Sets {@code fi_ep_attr.rx_ctx_cnt}.
     *
     * @param value the value, not negative, or {@link #SHARED_CONTEXT}
     * @return this
     * @throws IllegalArgumentException if it is negative, and not {@link #SHARED_CONTEXT}
     */
    EndpointAttributes rxContextCount(long value);

    /**
     * Authorisation key ({@code fi_ep_attr.auth_key}).
     *
     * @return a copy; empty for none
     */
    byte[] authKey();

    /**
     * Sets {@code fi_ep_attr.auth_key}.
     *
     * @param key the bytes; empty for none
     * @return this
     */
    EndpointAttributes authKey(byte[] key);

    /**
     * Size of {@link #authKey()}; since 2.0 also {@code FI_AV_AUTH_KEY} (-1), for keys that come from address vectors.
     *
     * @return the value of {@code fi_ep_attr.auth_key_size}
     */
    long authKeySize();
}
