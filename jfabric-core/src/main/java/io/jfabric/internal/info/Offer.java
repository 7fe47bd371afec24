// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_ep_attr;
import io.jfabric.bindings.fi_fabric_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fi_rx_attr;
import io.jfabric.bindings.fi_tx_attr;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.Protocol;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.Quirk;

/**
 * What libfabric said when it handed an info out. An info can be edited before something is opened from it; providers
 * believe what they read there, allocate less than they use, or wait forever for room that never was. What was said is
 * remembered with the info, as another query would take much longer than opening an endpoint does.
 */
final class Offer {
    /** A number in an info that may be lowered, but not raised. */
    private enum Limit {
        TX_SIZE("tx().size()", fi_info.tx_attr$offset(), fi_tx_attr.size$offset(), 1),
        TX_IOV("tx().iovLimit()", fi_info.tx_attr$offset(), fi_tx_attr.iov_limit$offset(), 0),
        TX_RMA_IOV("tx().rmaIovLimit()", fi_info.tx_attr$offset(), fi_tx_attr.rma_iov_limit$offset(), 0),
        TX_INJECT("tx().injectSize()", fi_info.tx_attr$offset(), fi_tx_attr.inject_size$offset(), 0),
        RX_SIZE("rx().size()", fi_info.rx_attr$offset(), fi_rx_attr.size$offset(), 1),
        RX_IOV("rx().iovLimit()", fi_info.rx_attr$offset(), fi_rx_attr.iov_limit$offset(), 0),
        MESSAGE("endpoint().maxMessageSize()", fi_info.ep_attr$offset(), fi_ep_attr.max_msg_size$offset(), 1),
        TX_CONTEXTS("endpoint().txContextCount()", fi_info.ep_attr$offset(), fi_ep_attr.tx_ctx_cnt$offset(), 1),
        RX_CONTEXTS("endpoint().rxContextCount()", fi_info.ep_attr$offset(), fi_ep_attr.rx_ctx_cnt$offset(), 1),
        // limits that jfabric itself goes by later
        MOST_TX_CONTEXTS("domain().limits().maxEndpointTxContexts()", fi_info.domain_attr$offset(),
                fi_domain_attr.max_ep_tx_ctx$offset(), 0),
        MOST_RX_CONTEXTS("domain().limits().maxEndpointRxContexts()", fi_info.domain_attr$offset(),
                fi_domain_attr.max_ep_rx_ctx$offset(), 0),
        MR_IOV("domain().limits().mrIovLimit()", fi_info.domain_attr$offset(), fi_domain_attr.mr_iov_limit$offset(), 0),
        MR_KEY("domain().limits().mrKeySize()", fi_info.domain_attr$offset(), fi_domain_attr.mr_key_size$offset(), 0);

        private final String name;
        private final long struct;
        private final long field;
        private final long least;

        Limit(String name, long struct, long field, long least) {
            this.name = name;
            this.struct = struct;
            this.field = field;
            this.least = least;
        }

        long of(long info) {
            long attributes = Memory.getLong(info + struct);
            return attributes == 0 ? 0 : Memory.getLong(attributes + field);
        }

        boolean countsContexts() {
            return this == TX_CONTEXTS || this == RX_CONTEXTS;
        }
    }

    /** Bits by which the provider demands something of its users. */
    private enum Demand {
        MODE("mode()", Demand.ITSELF, fi_info.mode$offset()),
        TX_MODE("tx().mode()", fi_info.tx_attr$offset(), fi_tx_attr.mode$offset()),
        RX_MODE("rx().mode()", fi_info.rx_attr$offset(), fi_rx_attr.mode$offset()),
        DOMAIN_MODE("domain().mode()", fi_info.domain_attr$offset(), fi_domain_attr.mode$offset()),
        MR_MODE("domain().mrMode()", fi_info.domain_attr$offset(), fi_domain_attr.mr_mode$offset());

        private static final long ITSELF = -1;

        private final String name;
        private final long struct;
        private final long field;

        Demand(String name, long struct, long field) {
            this.name = name;
            this.struct = struct;
            this.field = field;
        }

        long of(long info) {
            long attributes = struct == ITSELF ? info : Memory.getLong(info + struct);
            if (attributes == 0) {
                return 0;
            }
            return this == MR_MODE ? Integer.toUnsignedLong(Memory.getInt(attributes + field))
                    : Memory.getLong(attributes + field);
        }

        Flags<?> flags(long bits) {
            return this == MR_MODE ? Flags.ofBits(MrMode.class, bits) : Flags.ofBits(Mode.class, bits);
        }
    }

    /** A mode of libfabric 1 that the headers have no name for any more. */
    private static final long BUFFERED_RECV = 1L << 51;
    private static final Limit[] LIMITS = Limit.values();
    private static final Demand[] DEMANDS = Demand.values();

    private final boolean complete;
    /** Null where libfabric left it out. */
    private final String provider;
    private final long capabilities;
    /** The provider's version, by which what is known of a release is looked up. */
    private final int version;
    private final int type;
    private final int protocol;
    private final int apiVersion;
    private final int format;
    private final long[] limits = new long[LIMITS.length];
    private final long[] demands = new long[DEMANDS.length];
    private final long prefix;

    private Offer(long info, String provider, boolean complete) {
        this.complete = complete;
        this.provider = provider;
        this.capabilities = Memory.getLong(info + fi_info.caps$offset());
        this.version = version(info);
        this.type = type(info);
        this.protocol = protocol(info);
        this.apiVersion = apiVersion(info);
        this.format = Memory.getInt(info + fi_info.addr_format$offset());
        for (Limit limit : LIMITS) {
            limits[limit.ordinal()] = limit.of(info);
        }
        for (Demand demand : DEMANDS) {
            demands[demand.ordinal()] = demand.of(info);
        }
        this.prefix = prefix(info);
    }

    private static long prefix(long info) {
        long attributes = Memory.getLong(info + fi_info.ep_attr$offset());
        return attributes == 0 ? 0 : Memory.getLong(attributes + fi_ep_attr.msg_prefix_size$offset());
    }

    private static int version(long info) {
        return number(info, fi_info.fabric_attr$offset(), fi_fabric_attr.prov_version$offset());
    }

    private static int apiVersion(long info) {
        return number(info, fi_info.fabric_attr$offset(), fi_fabric_attr.api_version$offset());
    }

    private static int type(long info) {
        return number(info, fi_info.ep_attr$offset(), fi_ep_attr.type$offset());
    }

    private static int protocol(long info) {
        return number(info, fi_info.ep_attr$offset(), fi_ep_attr.protocol$offset());
    }

    private static int number(long info, long struct, long field) {
        long attributes = Memory.getLong(info + struct);
        return attributes == 0 ? 0 : Memory.getInt(attributes + field);
    }

    private static String provider(long info) {
        long attributes = Memory.getLong(info + fi_info.fabric_attr$offset());
        return attributes == 0 ? null : Memory.string(Memory.getLong(attributes + fi_fabric_attr.prov_name$offset()));
    }

    /** The offer of an info as it came; one that only names a provider is not complete. */
    static Offer of(long info, boolean complete) {
        return new Offer(info, provider(info), complete);
    }

    /** The offer of an info that came from this provider, even if it does not say so. */
    static Offer from(String provider, long info) {
        String said = provider(info);
        return new Offer(info, said == null ? provider : said, true);
    }

    /**
     * Call before a fabric is opened: under another name, a provider without a device may give a fabric that it has not
     * initialised, and hooks take the context for a provider.
     */
    void checkProvider(String operation, FabricInfoImpl info) {
        checkComplete(operation);
        if (!info.provider().equals(provider)) {
            throw new IllegalArgumentException(operation + ": the provider was changed in the info from " + provider
                    + " to \"" + info.provider() + "\": ask for it in the hints");
        }
        checkApiVersion(operation, info);
    }

    /** Providers decide by that version what bits and structs of the program mean. */
    private void checkApiVersion(String operation, FabricInfoImpl info) {
        if (apiVersion(info.address()) != apiVersion) {
            throw new IllegalArgumentException(operation + ": fabric().apiVersion() was changed in the info from "
                    + Version.ofCode(apiVersion) + " to " + info.fabric().apiVersion() + "; leave it as it is");
        }
    }

    private void checkComplete(String operation) {
        if (!complete) {
            throw new IllegalArgumentException(operation + ": the info came from a query with PROV_ATTR_ONLY, names a "
                    + "provider and nothing else: ask without that flag");
        }
    }

    /** Call before an endpoint or context is opened. */
    void check(String operation, FabricInfoImpl info) {
        checkComplete(operation);
        long address = info.address();
        if (type(address) != type) {
            throw new IllegalArgumentException(operation + ": the type of endpoint was changed in the info to "
                    + info.endpoint().type().nativeName() + ": ask for it in the hints");
        }
        if (version(address) != version) {
            throw new IllegalArgumentException(operation + ": fabric().providerVersion() was changed in the info to "
                    + info.fabric().providerVersion() + "; leave it as it is");
        }
        checkApiVersion(operation, info);
        if (protocol(address) != protocol) {
            throw new IllegalArgumentException(operation + ": endpoint().protocol() was changed in the info from "
                    + Protocol.ofCode(protocol) + " to " + info.endpoint().protocol() + ": ask for it in the hints");
        }
        for (Limit limit : LIMITS) {
            long value = limit.of(address);
            if (value != limits[limit.ordinal()]) {
                check(operation, info, limit, value);
            }
        }
        checkCapabilities(operation, info);
        checkDemands(operation, info, address);
        if (info.addressFormatCode() != format) {
            throw new IllegalArgumentException(operation + ": the format of addresses was changed in the info to "
                    + AddressShape.name(info.addressFormatCode()) + ": ask for it in the hints");
        }
        info.destinationAddress().ifPresent(peer -> checkAddress(operation, info, peer));
        info.sourceAddress().ifPresent(source -> checkAddress(operation, info, source));
        if (((info.mode().bits() | info.rx().mode().bits()) & BUFFERED_RECV) != 0
                && info.quirks().has(Quirk.BUFFERED_RECEIVES)) {
            throw new IllegalArgumentException(operation + ": the mode FI_BUFFERED_RECV would have the provider write "
                    + "to what it takes for contexts of its own; leave it out of the hints");
        }
    }

    private void check(String operation, FabricInfoImpl info, Limit limit, long value) {
        long offered = limits[limit.ordinal()];
        if (limit.countsContexts()) {
            // an info names one context; how many an endpoint can have is the domain's
            Limit most = limit == Limit.TX_CONTEXTS ? Limit.MOST_TX_CONTEXTS : Limit.MOST_RX_CONTEXTS;
            offered = Math.max(Math.max(1, offered), limits[most.ordinal()]);
            if (value == EndpointAttributes.SHARED_CONTEXT) {
                return;
            }
        }
        if (Long.compareUnsigned(value, limit.least) < 0 || Long.compareUnsigned(value, offered) > 0) {
            throw new IllegalArgumentException(operation + ": " + limit.name + " was set to "
                    + Long.toUnsignedString(value) + " in the info, but provider " + info.provider() + " has offered "
                    + limit.least + " to " + Long.toUnsignedString(offered) + "; ask for more in the hints");
        }
    }

    /** The registration mode that was offered. */
    Flags<MrMode> registration() {
        return Flags.ofBits(MrMode.class, demands[Demand.MR_MODE.ordinal()]);
    }

    private void checkCapabilities(String operation, FabricInfoImpl info) {
        long now = info.capabilities().bits();
        if (now == capabilities) {
            return;
        }
        if (now == 0 || (now & ~capabilities) != 0) {
            throw new IllegalArgumentException(operation + ": the capabilities were changed in the info, and "
                    + (now == 0 ? "none are left" : Flags.ofBits(Capability.class, now & ~capabilities)
                    + " were not offered") + "; ask for them in the hints");
        }
    }

    /** The info may grant more than the provider demands, but not less: the provider would use it all the same. */
    private void checkDemands(String operation, FabricInfoImpl info, long address) {
        // providers buffer only if the info says so
        long spared = BUFFERED_RECV | (info.leavesPrefixOut() ? Mode.MSG_PREFIX.code() : 0);
        for (Demand demand : DEMANDS) {
            long missing = demands[demand.ordinal()] & ~demand.of(address)
                    & ~(demand == Demand.MR_MODE ? 0 : spared);
            if (missing != 0) {
                throw new IllegalArgumentException(operation + ": " + demand.flags(missing) + " was taken out of "
                        + demand.name + " in the info, but provider " + info.provider() + " demands it; leave it "
                        + "there, or take it out of the hints to be offered only what does without it");
            }
        }
        checkAddresses(operation, info, Demand.MR_MODE.of(address) & ~demands[Demand.MR_MODE.ordinal()]);
        if (Long.compareUnsigned(prefix(address), prefix) < 0 && (spared & Mode.MSG_PREFIX.code()) == 0) {
            throw new IllegalArgumentException(operation + ": endpoint().messagePrefixSize() was set to "
                    + prefix(address) + " in the info, but provider " + info.provider() + " uses " + prefix
                    + " bytes in front of each message; leave that as it is");
        }
        checkPrefix(operation, info, address);
    }

    /**
     * Lowers the limits of an info from which something is opened, and which has passed {@link #check}: a prefix that
     * the provider has not asked for is to it the beginning of each message.
     */
    void countPrefix(FabricInfoImpl info) {
        long added = addedPrefix(info.address());
        if (added == 0) {
            return;
        }
        long inject = limits[Limit.TX_INJECT.ordinal()];
        inject = Long.compareUnsigned(inject, added) < 0 ? 0 : inject - added;
        if (Long.compareUnsigned(inject, info.tx().injectSize()) < 0) {
            info.tx().injectSize(inject);
        }
        long message = limits[Limit.MESSAGE.ordinal()] - added;
        if (Long.compareUnsigned(message, info.endpoint().maxMessageSize()) < 0) {
            info.endpoint().maxMessageSize(message);
        }
    }

    /** How much longer each message is than the provider thinks. */
    private long addedPrefix(long info) {
        boolean has = (Demand.TX_MODE.of(info) & Mode.MSG_PREFIX.code()) != 0;
        boolean had = (demands[Demand.TX_MODE.ordinal()] & Mode.MSG_PREFIX.code()) != 0;
        return Math.max(0, (has ? prefix(info) : 0) - (had ? prefix : 0));
    }

    private void checkPrefix(String operation, FabricInfoImpl info, long address) {
        long added = addedPrefix(address);
        if (added != 0 && Long.compareUnsigned(added, limits[Limit.MESSAGE.ordinal()]) >= 0) {
            throw new IllegalArgumentException(operation + ": endpoint().messagePrefixSize() was set to "
                    + prefix(address) + " in the info, which leaves nothing of the "
                    + Long.toUnsignedString(limits[Limit.MESSAGE.ordinal()]) + " bytes that a message of provider "
                    + info.provider() + " has at most; leave it as it is");
        }
    }

    private static void checkAddresses(String operation, FabricInfoImpl info, long added) {
        if ((added & MrMode.VIRT_ADDR.code()) != 0 && info.quirks().has(Quirk.REGIONS_BY_OFFSET)) {
            throw new IllegalArgumentException(operation + ": VIRT_ADDR was added to domain().mrMode() in the info, "
                    + "but provider " + info.provider() + " would take these addresses for offsets; leave it out");
        }
    }

    private static void checkAddress(String operation, FabricInfoImpl info, Address given) {
        if (!info.quirks().has(Quirk.ADDRESS_BLOBS)) {
            AddressShape.check(operation, info.addressFormatCode(), given.bytes());
        }
    }
}
