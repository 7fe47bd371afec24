// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_ep_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.InfoMemory;

/**
 * What an endpoint is ({@code struct fi_ep_attr}, fi_endpoint(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public final class EndpointAttributes extends Attributes {
    /** Asks for a shared context where a number of contexts is expected ({@code FI_SHARED_CONTEXT}). */
    public static final long SHARED_CONTEXT = -1L;

    private static final long TYPE = fi_ep_attr.type$offset();
    private static final long PROTOCOL = fi_ep_attr.protocol$offset();
    private static final long PROTOCOL_VERSION = fi_ep_attr.protocol_version$offset();
    private static final long MAX_MSG_SIZE = fi_ep_attr.max_msg_size$offset();
    private static final long MSG_PREFIX_SIZE = fi_ep_attr.msg_prefix_size$offset();
    private static final long MAX_ORDER_RAW_SIZE = fi_ep_attr.max_order_raw_size$offset();
    private static final long MAX_ORDER_WAR_SIZE = fi_ep_attr.max_order_war_size$offset();
    private static final long MAX_ORDER_WAW_SIZE = fi_ep_attr.max_order_waw_size$offset();
    private static final long MEM_TAG_FORMAT = fi_ep_attr.mem_tag_format$offset();
    private static final long TX_CTX_CNT = fi_ep_attr.tx_ctx_cnt$offset();
    private static final long RX_CTX_CNT = fi_ep_attr.rx_ctx_cnt$offset();
    private static final long AUTH_KEY = fi_ep_attr.auth_key$offset();
    private static final long AUTH_KEY_SIZE = fi_ep_attr.auth_key_size$offset();

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    @SuppressWarnings("exports")
    public EndpointAttributes(InfoMemory memory) {
        super(memory, fi_info.ep_attr$offset(), "fi_ep_attr");
    }

    /**
     * Connected, datagram or reliable datagram ({@code fi_ep_attr.type}).
     *
     * @return the constant, {@link EndpointType#UNRECOGNIZED} for a value jfabric does not know
     */
    public EndpointType type() {
        return EndpointType.ofCode(getInt(TYPE));
    }

    /**
     * Connected, datagram or reliable datagram, as a number.
     *
     * @return the value of {@code fi_ep_attr.type}
     */
    public int typeCode() {
        return getInt(TYPE);
    }

    /**
     * Sets {@code fi_ep_attr.type}.
     *
     * @param type the constant
     * @return this
     */
    public EndpointAttributes type(EndpointType type) {
        return typeCode(Constants.codeOf(type, EndpointType.UNRECOGNIZED, "type"));
    }

    /**
     * Sets {@code fi_ep_attr.type} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public EndpointAttributes typeCode(int code) {
        putInt(TYPE, code);
        return this;
    }

    /**
     * Wire protocol ({@code fi_ep_attr.protocol}).
     *
     * @return the constant, {@link Protocol#UNRECOGNIZED} for a value jfabric does not know
     */
    public Protocol protocol() {
        return Protocol.ofCode(getInt(PROTOCOL));
    }

    /**
     * Wire protocol, as a number.
     *
     * @return the value of {@code fi_ep_attr.protocol}
     */
    public int protocolCode() {
        return getInt(PROTOCOL);
    }

    /**
     * Sets {@code fi_ep_attr.protocol}.
     *
     * @param protocol the constant
     * @return this
     */
    public EndpointAttributes protocol(Protocol protocol) {
        return protocolCode(Constants.codeOf(protocol, Protocol.UNRECOGNIZED, "protocol"));
    }

    /**
     * Sets {@code fi_ep_attr.protocol} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public EndpointAttributes protocolCode(int code) {
        putInt(PROTOCOL, code);
        return this;
    }

    /**
     * Version of the wire protocol ({@code fi_ep_attr.protocol_version}).
     *
     * @return the value
     */
    public int protocolVersion() {
        return getInt(PROTOCOL_VERSION);
    }

    /**
     * Sets {@code fi_ep_attr.protocol_version}.
     *
     * @param value the value
     * @return this
     */
    public EndpointAttributes protocolVersion(int value) {
        putInt(PROTOCOL_VERSION, value);
        return this;
    }

    /**
     * Largest message ({@code fi_ep_attr.max_msg_size}).
     *
     * @return the value, in bytes
     */
    public long maxMessageSize() {
        return getLong(MAX_MSG_SIZE);
    }

    /**
     * Sets {@code fi_ep_attr.max_msg_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public EndpointAttributes maxMessageSize(long value) {
        putLong(MAX_MSG_SIZE, value);
        return this;
    }

    /**
     * Space in front of message buffers, see {@link Mode#MSG_PREFIX} ({@code fi_ep_attr.msg_prefix_size}).
     *
     * @return the value, in bytes
     */
    public long messagePrefixSize() {
        return getLong(MSG_PREFIX_SIZE);
    }

    /**
     * Sets {@code fi_ep_attr.msg_prefix_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public EndpointAttributes messagePrefixSize(long value) {
        putLong(MSG_PREFIX_SIZE, value);
        return this;
    }

    /**
     * Up to which size read after write is ordered ({@code fi_ep_attr.max_order_raw_size}).
     *
     * @return the value, in bytes
     */
    public long maxOrderRawSize() {
        return getLong(MAX_ORDER_RAW_SIZE);
    }

    /**
     * Sets {@code fi_ep_attr.max_order_raw_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public EndpointAttributes maxOrderRawSize(long value) {
        putLong(MAX_ORDER_RAW_SIZE, value);
        return this;
    }

    /**
     * Up to which size write after read is ordered ({@code fi_ep_attr.max_order_war_size}).
     *
     * @return the value, in bytes
     */
    public long maxOrderWarSize() {
        return getLong(MAX_ORDER_WAR_SIZE);
    }

    /**
     * Sets {@code fi_ep_attr.max_order_war_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public EndpointAttributes maxOrderWarSize(long value) {
        putLong(MAX_ORDER_WAR_SIZE, value);
        return this;
    }

    /**
     * Up to which size write after write is ordered ({@code fi_ep_attr.max_order_waw_size}).
     *
     * @return the value, in bytes
     */
    public long maxOrderWawSize() {
        return getLong(MAX_ORDER_WAW_SIZE);
    }

    /**
     * Sets {@code fi_ep_attr.max_order_waw_size}.
     *
     * @param value the value, in bytes
     * @return this
     */
    public EndpointAttributes maxOrderWawSize(long value) {
        putLong(MAX_ORDER_WAW_SIZE, value);
        return this;
    }

    /**
     * Which bits of a tag the application may use, by their change between 0 and 1 ({@code fi_ep_attr.mem_tag_format}).
     *
     * @return the value
     */
    public long memTagFormat() {
        return getLong(MEM_TAG_FORMAT);
    }

    /**
     * Sets {@code fi_ep_attr.mem_tag_format}.
     *
     * @param value the value
     * @return this
     */
    public EndpointAttributes memTagFormat(long value) {
        putLong(MEM_TAG_FORMAT, value);
        return this;
    }

    /**
     * Transmit contexts; {@link #SHARED_CONTEXT} for a shared one ({@code fi_ep_attr.tx_ctx_cnt}).
     *
     * @return the value
     */
    public long txContextCount() {
        return getLong(TX_CTX_CNT);
    }

    /**
     * Sets {@code fi_ep_attr.tx_ctx_cnt}.
     *
     * @param value the value
     * @return this
     */
    public EndpointAttributes txContextCount(long value) {
        putLong(TX_CTX_CNT, value);
        return this;
    }

    /**
     * Receive contexts; {@link #SHARED_CONTEXT} for a shared one ({@code fi_ep_attr.rx_ctx_cnt}).
     *
     * @return the value
     */
    public long rxContextCount() {
        return getLong(RX_CTX_CNT);
    }

    /**
     * Sets {@code fi_ep_attr.rx_ctx_cnt}.
     *
     * @param value the value
     * @return this
     */
    public EndpointAttributes rxContextCount(long value) {
        putLong(RX_CTX_CNT, value);
        return this;
    }

    /**
     * Authorisation key ({@code fi_ep_attr.auth_key}).
     *
     * @return a copy; empty for none
     */
    public byte[] authKey() {
        return getBytes(AUTH_KEY, getLong(AUTH_KEY_SIZE));
    }

    /**
     * Sets {@code fi_ep_attr.auth_key}.
     *
     * @param key the bytes; empty for none
     * @return this
     */
    public EndpointAttributes authKey(byte[] key) {
        putBytes(AUTH_KEY, key);
        putLong(AUTH_KEY_SIZE, key.length);
        return this;
    }

    /**
     * Size of {@link #authKey()}; since 2.0 also {@code FI_AV_AUTH_KEY} (-1), for keys that come from address vectors.
     *
     * @return the value of {@code fi_ep_attr.auth_key_size}
     */
    public long authKeySize() {
        return getLong(AUTH_KEY_SIZE);
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_EP_ATTR());
    }
}
