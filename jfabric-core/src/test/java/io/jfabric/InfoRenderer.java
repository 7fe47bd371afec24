// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.AvType;
import io.jfabric.info.Capability;
import io.jfabric.info.CompletionOrder;
import io.jfabric.info.DomainAttributes;
import io.jfabric.info.DomainLimits;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricAttributes;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Flags;
import io.jfabric.info.Info;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Progress;
import io.jfabric.info.Protocol;
import io.jfabric.info.ReceiveAttributes;
import io.jfabric.info.ResourceManagement;
import io.jfabric.info.Threading;
import io.jfabric.info.TransmitAttributes;
import io.jfabric.info.Version;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Writes what fi_tostr writes about an info, but from the Java attributes alone. */
final class InfoRenderer {
    private static final String TAB = "    ";
    private static final boolean OLD = !Fabric.version().atLeast(new Version(2, 0));
    // in the order and with the choice of fi_tostr; constants are looked up in the enums by these names
    private static final String CAPS = "FI_MSG FI_RMA FI_TAGGED FI_ATOMIC FI_MULTICAST FI_COLLECTIVE FI_READ FI_WRITE "
            + "FI_RECV FI_SEND FI_REMOTE_READ FI_REMOTE_WRITE FI_MULTI_RECV FI_REMOTE_CQ_DATA FI_TRIGGER FI_FENCE "
            + "%s FI_RMA_PMEM FI_SOURCE_ERR FI_LOCAL_COMM FI_REMOTE_COMM FI_SHARED_AV FI_RMA_EVENT "
            + "FI_SOURCE FI_NAMED_RX_CTX FI_DIRECTED_RECV %s FI_HMEM";
    private static final String OP_FLAGS = "FI_MULTICAST FI_MULTI_RECV FI_REMOTE_CQ_DATA FI_MORE FI_PEEK FI_TRIGGER "
            + "FI_FENCE FI_COMPLETION FI_INJECT FI_INJECT_COMPLETE FI_TRANSMIT_COMPLETE FI_DELIVERY_COMPLETE "
            + "FI_MATCH_COMPLETE FI_AFFINITY FI_CLAIM FI_DISCARD";
    private static final String MSG_ORDER = "FI_ORDER_RAR FI_ORDER_RAW FI_ORDER_RAS FI_ORDER_WAR FI_ORDER_WAW "
            + "FI_ORDER_WAS FI_ORDER_SAR FI_ORDER_SAW FI_ORDER_SAS FI_ORDER_RMA_RAR FI_ORDER_RMA_RAW "
            + "FI_ORDER_RMA_WAR FI_ORDER_RMA_WAW FI_ORDER_ATOMIC_RAR FI_ORDER_ATOMIC_RAW FI_ORDER_ATOMIC_WAR "
            + "FI_ORDER_ATOMIC_WAW";
    private static final String MODE = "FI_CONTEXT FI_MSG_PREFIX FI_ASYNC_IOV FI_RX_CQ_DATA FI_LOCAL_MR "
            + "FI_NOTIFY_FLAGS_ONLY FI_RESTRICTED_COMP FI_CONTEXT2 FI_BUFFERED_RECV";
    private static final String MR_MODE = "FI_MR_BASIC FI_MR_SCALABLE FI_MR_LOCAL FI_MR_RAW FI_MR_VIRT_ADDR "
            + "FI_MR_ALLOCATED FI_MR_PROV_KEY FI_MR_MMU_NOTIFY FI_MR_RMA_EVENT FI_MR_ENDPOINT FI_MR_HMEM "
            + "FI_MR_COLLECTIVE";

    private final StringBuilder out = new StringBuilder();
    private String indent = TAB;

    /** What no release has, and what is printed since some release before the one that is looked at. */
    private static final String OTHERS = "max_xpu_ctx_cnt|xpu_ctx"
            + (Fabric.version().atLeast(new Version(2, 5)) ? "" : "|max_ep_auth_key|max_group_id");

    private InfoRenderer() {
    }

    static String render(Info<?> info) {
        InfoRenderer it = new InfoRenderer();
        it.info(info);
        return it.out.toString();
    }

    /** Libfabric's own text, as far as it is about what a release has: its development branch prints more. */
    static String known(String text) {
        return Fabric.version().atLeast(new Version(2, 2))
                ? text.lines().filter(line -> !line.matches(" *(" + OTHERS + "): .*"))
                        .map(line -> line.replace("domain: (nil)", "domain: 0x0") + '\n').collect(Collectors.joining())
                : text;
    }

    private void line(String name, Object value) {
        out.append(indent).append(name).append(": ").append(value).append('\n');
    }

    private void struct(String name) {
        out.append(TAB).append(name).append(":\n");
        indent = TAB + TAB;
    }

    private void info(Info<?> info) {
        out.append("fi_info:\n");
        line("caps", caps(info.capabilities()));
        line("mode", mode(info.mode()));
        line("addr_format", known(info.addressFormat(), AddressFormat.UNRECOGNIZED));
        line("src_addrlen", unsigned(info.sourceAddressLength()));
        line("dest_addrlen", unsigned(info.destinationAddressLength()));
        line("src_addr", address(info.sourceAddress()));
        line("dest_addr", address(info.destinationAddress()));
        line("handle", pointer(info.handle()));
        tx(info.tx());
        rx(info.rx());
        endpoint(info.endpoint());
        domain(info.domain());
        fabric(info.fabric());
        indent = TAB;
        line("nic", info.nic().isPresent() ? "?" : "(nil)");
    }

    private void tx(TransmitAttributes a) {
        struct("fi_tx_attr");
        line("caps", caps(a.capabilities()));
        line("mode", mode(a.mode()));
        line("op_flags", flags(a.operationFlags(), OperationFlag::values, OP_FLAGS));
        line("msg_order", flags(a.messageOrder(), MessageOrder::values, MSG_ORDER));
        completionOrder(a.completionOrder());
        line("inject_size", unsigned(a.injectSize()));
        line("size", unsigned(a.size()));
        line("iov_limit", unsigned(a.iovLimit()));
        line("rma_iov_limit", unsigned(a.rmaIovLimit()));
        line("tclass", "0x" + Integer.toHexString(a.trafficClassCode()));
    }

    private void rx(ReceiveAttributes a) {
        struct("fi_rx_attr");
        line("caps", caps(a.capabilities()));
        line("mode", mode(a.mode()));
        line("op_flags", flags(a.operationFlags(), OperationFlag::values, OP_FLAGS));
        line("msg_order", flags(a.messageOrder(), MessageOrder::values, MSG_ORDER));
        completionOrder(a.completionOrder());
        if (OLD) {
            line("total_buffered_recv", unsigned(a.totalBufferedRecv()));
        }
        line("size", unsigned(a.size()));
        line("iov_limit", unsigned(a.iovLimit()));
    }

    private void completionOrder(Flags<CompletionOrder> order) {
        if (!OLD) {
            return;
        }
        long strict = order.bits() & 0x1FF;
        Stream<String> names = strict == 0 ? Stream.of("FI_ORDER_NONE")
                : strict == 0x1FF ? Stream.of("FI_ORDER_STRICT") : Stream.of();
        Stream<String> data = order.contains(CompletionOrder.DATA) ? Stream.of("FI_ORDER_DATA") : Stream.of();
        line("comp_order", Stream.concat(names, data).collect(Collectors.joining(", ", "[ ", " ]")));
    }

    private void endpoint(EndpointAttributes a) {
        struct("fi_ep_attr");
        line("type", known(a.type(), EndpointType.UNRECOGNIZED));
        line("protocol", known(a.protocol(), Protocol.UNRECOGNIZED));
        line("protocol_version", a.protocolVersion());
        line("max_msg_size", unsigned(a.maxMessageSize()));
        line("msg_prefix_size", unsigned(a.messagePrefixSize()));
        line("max_order_raw_size", unsigned(a.maxOrderRawSize()));
        line("max_order_war_size", unsigned(a.maxOrderWarSize()));
        line("max_order_waw_size", unsigned(a.maxOrderWawSize()));
        line("mem_tag_format", "0x%016x".formatted(a.memTagFormat()));
        line("tx_ctx_cnt", contexts(a.txContextCount()));
        line("rx_ctx_cnt", contexts(a.rxContextCount()));
        line("auth_key_size", unsigned(a.authKeySize()));
    }

    private static String contexts(long count) {
        return count == EndpointAttributes.SHARED_CONTEXT ? "FI_SHARED_CONTEXT" : unsigned(count);
    }

    private void domain(DomainAttributes a) {
        DomainLimits limits = a.limits();
        struct("fi_domain_attr");
        // half of it before 2.2
        line("domain", "0x" + (Fabric.version().atLeast(new Version(2, 2)) ? Long.toHexString(a.domainHandle())
                : Integer.toHexString((int) a.domainHandle())));
        line("name", text(a.name().orElse(null)));
        line("threading", threading(a.threading()));
        if (OLD) {
            line("control_progress", known(a.controlProgress(), Progress.UNRECOGNIZED));
            line("data_progress", known(a.dataProgress(), Progress.UNRECOGNIZED));
        } else {
            line("progress", known(a.dataProgress(), Progress.UNRECOGNIZED));
        }
        line("resource_mgmt", known(a.resourceManagement(), ResourceManagement.UNRECOGNIZED));
        line("av_type", known(a.avType(), AvType.UNRECOGNIZED));
        line("mr_mode", flags(a.mrMode(), MrMode::values, MR_MODE));
        line("mr_key_size", unsigned(limits.mrKeySize()));
        line("cq_data_size", unsigned(limits.cqDataSize()));
        line("cq_cnt", unsigned(limits.cqCount()));
        line("ep_cnt", unsigned(limits.endpointCount()));
        line("tx_ctx_cnt", unsigned(limits.txContextCount()));
        line("rx_ctx_cnt", unsigned(limits.rxContextCount()));
        line("max_ep_tx_ctx", unsigned(limits.maxEndpointTxContexts()));
        line("max_ep_rx_ctx", unsigned(limits.maxEndpointRxContexts()));
        line("max_ep_stx_ctx", unsigned(limits.maxEndpointStxContexts()));
        line("max_ep_srx_ctx", unsigned(limits.maxEndpointSrxContexts()));
        line("cntr_cnt", unsigned(limits.counterCount()));
        line("mr_iov_limit", unsigned(limits.mrIovLimit()));
        line("caps", caps(a.capabilities()));
        line("mode", mode(a.mode()));
        line("auth_key_size", unsigned(a.authKeySize()));
        line("max_err_data", unsigned(limits.maxErrorData()));
        line("mr_cnt", unsigned(limits.mrCount()));
        line("tclass", "0x" + Integer.toHexString(a.trafficClassCode()));
        if (Fabric.version().atLeast(new Version(2, 5))) {
            line("max_ep_auth_key", unsigned(limits.maxEndpointAuthKeys()));
            line("max_group_id", Integer.toUnsignedString(limits.maxGroupId()));
            line("max_cntr_value", unsigned(limits.maxCounterValue()));
            line("max_err_cntr_value", unsigned(limits.maxErrorCounterValue()));
        }
    }

    private void fabric(FabricAttributes a) {
        struct("fi_fabric_attr");
        line("name", text(a.name().orElse(null)));
        line("prov_name", text(a.providerName().orElse(null)));
        line("prov_version", a.providerVersion());
        line("api_version", a.apiVersion());
    }

    private static String caps(Flags<Capability> flags) {
        return flags(flags, Capability::values,
                OLD ? CAPS.formatted("FI_VARIABLE_MSG", "") : CAPS.formatted("", "FI_AV_USER_ID FI_PEER"));
    }

    private static String mode(Flags<Mode> flags) {
        return flags(flags, Mode::values, MODE);
    }

    @FunctionalInterface
    private interface Values<E> {
        E[] get();
    }

    /** What the constants and the unknown bits say, in fi_tostr's order. */
    private static <E extends Enum<E> & FabricConstant> String flags(Flags<E> flags, Values<E> values, String names) {
        Set<String> set = new HashSet<>();
        for (E constant : values.get()) {
            if (flags.contains(constant)) {
                set.add(constant.nativeName());
            }
        }
        // bits that libfabric 2 dropped or gave to something else: no constant for them in Java
        long unknown = flags.unknown();
        oldBit(set, unknown, 1L << 48, values, Capability.class, "FI_VARIABLE_MSG");
        oldBit(set, unknown, 1L << 55, values, Mode.class, "FI_LOCAL_MR");
        oldBit(set, unknown, 1L << 54, values, Mode.class, "FI_NOTIFY_FLAGS_ONLY");
        oldBit(set, unknown, 1L << 53, values, Mode.class, "FI_RESTRICTED_COMP");
        oldBit(set, unknown, 1L << 51, values, Mode.class, "FI_BUFFERED_RECV");
        return Stream.of(names.split(" +")).filter(set::contains).collect(Collectors.joining(", ", "[ ", " ]"));
    }

    private static <E> void oldBit(Set<String> set, long unknown, long bit, Values<E> values, Class<?> type,
            String name) {
        if ((unknown & bit) != 0 && values.get().getClass().getComponentType() == type) {
            set.add(name);
        }
    }

    private static String known(FabricConstant constant, FabricConstant unrecognized) {
        return constant == unrecognized ? "Unknown" : constant.nativeName();
    }

    /** libfabric 2 still has the two, and no text for them. */
    private static String threading(Threading threading) {
        return !OLD && (threading == Threading.FID || threading == Threading.ENDPOINT) ? "Unknown"
                : known(threading, Threading.UNRECOGNIZED);
    }

    private static String address(Optional<Address> address) {
        if (address.isEmpty()) {
            return "(null)";
        }
        Address it = address.get();
        if (it.format() == AddressFormat.ADDR_PSMX3 || it.format() == AddressFormat.ADDR_PSMX2) {
            ByteBuffer words = ByteBuffer.wrap(it.bytes()).order(ByteOrder.nativeOrder());
            return LongStream.generate(words::getLong).limit(it.length() / Long.BYTES).mapToObj(Long::toHexString)
                    .collect(Collectors.joining(":", "fi_addr_psmx3://", ""));
        }
        return it.toString();
    }

    private static String pointer(long address) {
        return address == 0 ? "(nil)" : "0x" + Long.toHexString(address);
    }

    /** C says the largest of its numbers where there is no limit. */
    private static String unsigned(long value) {
        return Long.toUnsignedString(value == Long.MAX_VALUE ? -1 : value);
    }

    private static String text(String text) {
        return text == null ? "(null)" : text;
    }
}
