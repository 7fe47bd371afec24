// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.info.AddressShape;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.shm.ShmQueues;
import io.jfabric.internal.shared.DomainState;
import java.util.stream.Stream;

/** Checks and adjusts an info before something is opened with it. */
public final class EndpointOpening {
    /** Entries that must be left for messages which no receive waits for. */
    private static final int KEPT_FREE = 64;
    /** The largest sizes where a message is of many packets. */
    private static final long MOST_PACKETS = 1024;
    /** How many entries 16-bit indexes can tell apart, without those below 0. */
    private static final long MOST_COUNTED = 1 << 15;

    private EndpointOpening() {
    }

    public static void check(String operation, FabricInfoImpl info) {
        info.requireOffered(operation);
        Limits.checkDefaults(info, operation, chosen(info.tx().operationFlags()));
        Limits.checkDefaults(info, operation, chosen(info.rx().operationFlags()));
    }

    // a provider offers COMMIT_COMPLETE by default without hints, even where there is nothing persistent
    private static Flags<OperationFlag> chosen(Flags<OperationFlag> flags) {
        return flags.without(OperationFlag.COMMIT_COMPLETE);
    }

    /** Asks for as many entries as the provider needs to have room for what the info says. */
    public static void makeRoom(DomainState domain, FabricInfoImpl info) {
        if (domain.quirks().has(Quirk.RECEIVES_FILL_UP)) {
            info.rx().size(ShmQueues.withMore(info.rx().size(), KEPT_FREE));
        }
        if (domain.quirks().has(Quirk.QUEUES_OF_NONE)) {
            info.tx().size(ShmQueues.sends(info.tx().size()));
            info.rx().size(ShmQueues.receives(info.rx().size(), 1));
        }
        if (domain.quirks().has(Quirk.QUEUES_OF_ONE_OVERFLOW)) {
            info.rx().size(ShmQueues.receives(info.rx().size(), 2));
        }
        if (domain.quirks().has(Quirk.QUEUES_OF_MANY_OVERFLOW)) {
            info.tx().size(Math.min(MOST_COUNTED, info.tx().size()));
            info.rx().size(Math.min(MOST_COUNTED, info.rx().size()));
        }
        makeRoomForData(domain, info);
        if (domain.quirks().has(Quirk.PACKETS_OVERFLOW_QUEUE)) {
            info.tx().size(Math.max(MOST_PACKETS, info.tx().size()));
            info.rx().size(Math.max(MOST_PACKETS, info.rx().size()));
        }
    }

    /** The same, where one entry is less than the longest operation takes. */
    static void makeRoomForData(DomainState domain, FabricInfoImpl info) {
        if (domain.quirks().has(Quirk.DATA_OVERFLOWS_QUEUE) && info.tx().size() == 1) {
            info.tx().size(2);
        }
    }

    /** What the endpoint's domain must have been opened for. */
    public static void checkDomain(String operation, DomainState domain, FabricInfoImpl info) {
        checkDomain(operation, domain, info, Quirk.COLLECTIVES_OF_DOMAIN, Capability.COLLECTIVE);
        checkDomain(operation, domain, info, Quirk.SOURCES_OF_DOMAIN, Capability.SOURCE);
        checkDomain(operation, domain, info, Quirk.EFA_SOURCES_OF_DOMAIN, Capability.SOURCE);
        checkDomain(operation, domain, info, Quirk.DIRECTED_BY_DOMAIN, Capability.DIRECTED_RECV);
        checkDomain(operation, domain, info, Quirk.ATOMICS_OF_DOMAIN, Capability.ATOMIC);
        checkName(operation, domain, info);
        checkFormat(operation, domain, info);
    }

    /** Address vectors have the domain's format, and providers compare the endpoint's address with their entries. */
    private static void checkFormat(String operation, DomainState domain, FabricInfoImpl info) {
        int own = domain.info().addressFormatCode();
        int given = info.addressFormatCode();
        boolean differ = given != own && AddressShape.isOneIp(own) && AddressShape.isOneIp(given);
        if (differ && info.endpoint().type() != EndpointType.MSG) {
            throw new IllegalArgumentException(operation + ": addresses of the info have the format "
                    + AddressShape.name(given) + ", those of this domain " + AddressShape.name(own)
                    + ": open a domain with that info");
        }
    }

    private static void checkName(String operation, DomainState domain, FabricInfoImpl info) {
        String name = domain.info().domain().name().orElse("");
        String given = info.domain().name().orElse("");
        if (domain.quirks().has(Quirk.FIRST_DOMAIN_DECIDES) && !given.equals(name)) {
            throw new IllegalArgumentException(operation + ": the info is for domain " + given + ", but this domain is "
                    + name + ", of which provider " + info.provider() + " would make the endpoint: open a Fabric and a "
                    + "Domain with that info");
        }
    }

    /** The capabilities that the provider must open the endpoint with. */
    public static Flags<Capability> capabilities(DomainState domain, Flags<Capability> asked) {
        boolean stale = domain.quirks().has(Quirk.STALE_SOURCES)
                && domain.info().capabilities().contains(Capability.SOURCE);
        return stale || domain.quirks().has(Quirk.UNKNOWN_SENDERS) ? asked.with(Capability.SOURCE) : asked;
    }

    private static void checkDomain(String operation, DomainState domain, FabricInfoImpl info, Quirk quirk,
            Capability capability) {
        if (domain.quirks().has(quirk) && info.capabilities().contains(capability)
                && !domain.info().capabilities().contains(capability)) {
            throw new IllegalArgumentException(operation + ": the info has the capability " + capability
                    + ", which the domain was opened without; open the domain with an info that has it");
        }
    }

    /** Whether the provider writes to the context of an operation. */
    static boolean writesContexts(DomainState domain, FabricInfoImpl info) {
        return Stream.of(Mode.CONTEXT, Mode.CONTEXT2).anyMatch(mode -> domain.requires(mode)
                || info.mode().contains(mode) || info.tx().mode().contains(mode) || info.rx().mode().contains(mode));
    }

    /** How many receives may be posted at a time. */
    static long mostReceives(DomainState domain, FabricInfoImpl info) {
        return domain.quirks().has(Quirk.RECEIVES_FILL_UP) ? info.rx().size() - KEPT_FREE : Contexts.ANY_NUMBER;
    }

    /** Whether its operations are reported, whatever was asked for. */
    static boolean reportsUnasked(DomainState domain, FabricInfoImpl info) {
        return info.endpoint().type() != EndpointType.MSG && domain.quirks().reportUnasked();
    }
}
