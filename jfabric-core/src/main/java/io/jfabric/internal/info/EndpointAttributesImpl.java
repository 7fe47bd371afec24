// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_ep_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Protocol;
import io.jfabric.internal.library.InfoMemory;

/** {@link EndpointAttributes}. */
public final class EndpointAttributesImpl extends AttributeView implements EndpointAttributes {

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
    public EndpointAttributesImpl(InfoMemory memory) {
        super(memory, fi_info.ep_attr$offset(), "fi_ep_attr");
    }

    private void putContexts(long offset, String field, long count) {
        if (count == SHARED_CONTEXT) {
            putLong(offset, count);
        } else {
            putAmount(offset, field, count);
        }
    }

    @Override
    public EndpointType type() {
        return EndpointType.ofCode(getInt(TYPE));
    }

    @Override
    public int typeCode() {
        return getInt(TYPE);
    }

    @Override
    public EndpointAttributesImpl type(EndpointType type) {
        return typeCode(Constants.codeOf(type, EndpointType.UNRECOGNIZED, "type"));
    }

    @Override
    public EndpointAttributesImpl typeCode(int code) {
        putInt(TYPE, code);
        return this;
    }

    @Override
    public Protocol protocol() {
        return Protocol.ofCode(getInt(PROTOCOL));
    }

    @Override
    public int protocolCode() {
        return getInt(PROTOCOL);
    }

    @Override
    public EndpointAttributesImpl protocol(Protocol protocol) {
        return protocolCode(Constants.codeOf(protocol, Protocol.UNRECOGNIZED, "protocol"));
    }

    @Override
    public EndpointAttributesImpl protocolCode(int code) {
        putInt(PROTOCOL, code);
        return this;
    }

    @Override
    public int protocolVersion() {
        return getInt(PROTOCOL_VERSION);
    }

    @Override
    public EndpointAttributesImpl protocolVersion(int value) {
        putInt(PROTOCOL_VERSION, value);
        return this;
    }

    @Override
    public long maxMessageSize() {
        return getAmount(MAX_MSG_SIZE);
    }

    @Override
    public EndpointAttributesImpl maxMessageSize(long value) {
        putAmount(MAX_MSG_SIZE, "max_msg_size", value);
        return this;
    }

    @Override
    public long messagePrefixSize() {
        return getAmount(MSG_PREFIX_SIZE);
    }

    @Override
    public EndpointAttributesImpl messagePrefixSize(long value) {
        putAmount(MSG_PREFIX_SIZE, "msg_prefix_size", value);
        return this;
    }

    @Override
    public long maxOrderRawSize() {
        return getAmount(MAX_ORDER_RAW_SIZE);
    }

    @Override
    public EndpointAttributesImpl maxOrderRawSize(long value) {
        putAmount(MAX_ORDER_RAW_SIZE, "max_order_raw_size", value);
        return this;
    }

    @Override
    public long maxOrderWarSize() {
        return getAmount(MAX_ORDER_WAR_SIZE);
    }

    @Override
    public EndpointAttributesImpl maxOrderWarSize(long value) {
        putAmount(MAX_ORDER_WAR_SIZE, "max_order_war_size", value);
        return this;
    }

    @Override
    public long maxOrderWawSize() {
        return getAmount(MAX_ORDER_WAW_SIZE);
    }

    @Override
    public EndpointAttributesImpl maxOrderWawSize(long value) {
        putAmount(MAX_ORDER_WAW_SIZE, "max_order_waw_size", value);
        return this;
    }

    @Override
    public long memTagFormat() {
        return getLong(MEM_TAG_FORMAT);
    }

    @Override
    public EndpointAttributesImpl memTagFormat(long value) {
        putLong(MEM_TAG_FORMAT, value);
        return this;
    }

    @Override
    public long txContextCount() {
        return getLong(TX_CTX_CNT);
    }

    @Override
    public EndpointAttributesImpl txContextCount(long value) {
        putContexts(TX_CTX_CNT, "tx_ctx_cnt", value);
        return this;
    }

    @Override
    public long rxContextCount() {
        return getLong(RX_CTX_CNT);
    }

    @Override
    public EndpointAttributesImpl rxContextCount(long value) {
        putContexts(RX_CTX_CNT, "rx_ctx_cnt", value);
        return this;
    }

    @Override
    public byte[] authKey() {
        return getBytes(AUTH_KEY, AUTH_KEY_SIZE);
    }

    @Override
    public EndpointAttributesImpl authKey(byte[] key) {
        putBytes(AUTH_KEY, AUTH_KEY_SIZE, key);
        return this;
    }

    @Override
    public long authKeySize() {
        return getLong(AUTH_KEY_SIZE);
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_EP_ATTR());
    }
}
