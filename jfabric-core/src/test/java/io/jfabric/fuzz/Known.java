// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.PassiveEndpoint;
import io.jfabric.ScalableEndpoint;
import io.jfabric.async.Node;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Info;
import io.jfabric.info.Version;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.MemoryRegionAttributes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Stream;

/** What of a provider is known to crash, cannot be prevented by the library, and so is left out. */
final class Known {
    /** 0 where endpoints with and without collectives may talk to each other. */
    static final String MIXED = "FI_OFI_RXM_ENABLE_DYN_RBUF";
    /** How many tagged messages that nobody has asked for are kept. */
    static final String EARLY = "FI_TCP_MAX_SAVED";
    /** By the provider; for the published page. */
    static final Map<String, String> REASONS = Map.of(
            "shm", "no registration of read-only memory: rights are not enforced, whoever has the key may write to it; "
                    + "as with all others, nothing of `sm2`, of which endpoints with unread messages hang when they "
                    + "are closed (`sm2_discard`)",
            "sockets", "passive endpoints listen only until the first connection is there, and nodes of its MSG "
                    + "endpoints are not opened: its listener crashes when anything connects that does not say hello "
                    + "its way, and other providers' endpoints do (`sock_ep_cm_handle_rx` follows `handle->ep`, which "
                    + "is NULL)",
            "tcp", "since 1.18, what has a shared receive context is connected to nothing but its like, and RDM "
                    + "endpoints are opened where there are no connections: a tagged message crashes others "
                    + "(`xnet_handle_tag` follows `ep->srx`, which is NULL); and " + EARLY
                    + " is 0, so that messages without a receive wait outside: one that breaks off is freed, but "
                    + "stays in the list of those that are kept (`xnet_complete_rx`)",
            "tcp;ofi_rxm", "no message above 16 KiB: its rendezvous crashes the receiver (`rxm_rndv_read`) if the "
                    + "sender's connection broke before the receive was posted, and connections break by wrong keys; "
                    + "with 1.17, collectives only where " + MIXED + " is 0, in every other run: a tagged message from "
                    + "an endpoint without the capability crashes one that has it",
            "udp;ofi_rxd", "no remote memory access and no atomics: a wrong key stops the traffic of both sides, or "
                    + "crashes the target (`rxd_ep_recv_data` divides by the window, which is 0 then); no endpoints "
                    + "of bare `udp` beside it: any datagram that is not rxd's own crashes the endpoint that it "
                    + "comes to (`rxd_handle_recv_comp` looks for its peer, which is NULL); no message of "
                    + "more than one packet: its rest goes to an entry that is freed (`curr_rx_id`) if a receive "
                    + "takes an older message of the same peer meanwhile");
    /** Why methods of a type are seldom called, where it is not for the number of calls. */
    static final Map<String, String> SELDOM = Map.of(
            "Profile", "no provider of this build of libfabric has one",
            "MulticastGroup", "only udp has them, and joins of random addresses fail",
            "ScalableEndpoint", "only sockets has them",
            "SharedReceiveContext", "only connected endpoints and sockets have them",
            "SharedTransmitContext", "only sockets has them, where they are refused",
            "DeferredWork", "only sockets has it",
            "Deferral", "only sockets has it",
            "PassiveEndpoint", "only connected endpoints have them",
            "CollectiveGroup", "only `tcp;ofi_rxm` has them, where the capability was asked for");

    /** Requests have up to four buffers. */
    private static final long QUARTER = 4096;
    private static final long QUARTER_PACKET = 256;

    /** The first release whose connections of tcp may have tags. */
    private static final Version TAGS = new Version(1, 18);
    private static final Set<String> CONNECTS = Set.of("connect", "accept", "listen");
    /** What can be told the address of a listener, and send to it. */
    private static final Set<Class<?>> SENDERS = Set.of(Endpoint.class, ScalableEndpoint.class, Node.class);
    /** The one world in which connections of tcp are made. */
    private static final Options.Choice CONNECTIONS = new Options.Choice("tcp", "MSG");

    private Known() {
    }

    /** Whether a call would open a listener that others in the process may crash, or what may crash others. */
    static boolean forbids(Options.Choice world, Target target, Object on, Object... arguments) {
        String provider = world.provider();
        if (provider.equals("shm") && registers(target) && Stream.of(arguments).anyMatch(Known::isReadOnly)) {
            return true;
        }
        if (target.executable().getName().equals("listen") && (on instanceof PassiveEndpoint listener
                ? listener.isOpen() && !mayListen(listener.info().provider())
                : on instanceof Node node && !mayListen(node.fabric().provider()))) {
            return true;
        }
        boolean connects = CONNECTS.contains(target.executable().getName());
        if (world.equals(CONNECTIONS) ? connects && wouldSendTags(on) || SENDERS.contains(target.result())
                && Stream.of(arguments).anyMatch(Known::wouldMistakeListeners) : connects && isConnection(on)) {
            return true;
        }
        if (Stream.of(arguments).anyMatch(argument -> wouldHang(argument)
                || !provider.endsWith("ofi_rxm") && wouldBreak(argument))
                && AutoCloseable.class.isAssignableFrom(target.result())
                && target.result().getPackage() != Info.class.getPackage()) {
            return true;
        }
        boolean opensNode = target.receiver() == null && target.result() == Node.class;
        return opensNode && arguments[0] instanceof Info<?> asked && (wouldListen(asked)
                || provider.endsWith("ofi_rxd") && wouldSendDatagrams(asked));
    }

    private static boolean registers(Target target) {
        return target.executable().getName().startsWith("register")
                || target.executable().getDeclaringClass() == MemoryRegionAttributes.class;
    }

    private static boolean isReadOnly(Object argument) {
        return argument instanceof MemorySegment memory && memory.isReadOnly()
                || argument instanceof List<?> list && list.stream().anyMatch(Known::isReadOnly);
    }

    /** Whether listeners may stay open. */
    static boolean mayListen(String provider) {
        return !provider.equals("sockets");
    }

    /** What can send tagged messages must not be connected to what has no shared receive context for them. */
    private static boolean wouldSendTags(Object on) {
        try {
            FabricInfo info = on instanceof Endpoint endpoint ? endpoint.info()
                    : on instanceof Node node ? node.info() : null;
            return info != null && info.endpoint().type() == EndpointType.MSG && Fabric.version().compareTo(TAGS) >= 0
                    && info.endpoint().rxContextCount() == EndpointAttributes.SHARED_CONTEXT;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    private static boolean isConnection(Object on) {
        try {
            FabricInfo info = on instanceof Endpoint endpoint ? endpoint.info()
                    : on instanceof PassiveEndpoint listener ? listener.info()
                    : on instanceof Node node ? node.info() : null;
            return info != null && info.endpoint().type() == EndpointType.MSG && isOfTcp(info);
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** RDM endpoints connect by themselves, to what they have the address of, and send tagged messages there. */
    private static boolean wouldMistakeListeners(Object argument) {
        try {
            return argument instanceof Info<?> asked && asked.endpoint().type() != EndpointType.MSG && isOfTcp(asked);
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** Or may be, as hints without a name; by either name of the code. */
    private static boolean isOfTcp(Info<?> asked) {
        String name = asked.fabric().providerName().orElse(null);
        return name == null || name.contains("tcp") || name.contains("net");
    }

    /** Its endpoints cannot be closed with messages that nobody has asked for. */
    private static boolean wouldHang(Object argument) {
        try {
            return argument instanceof FabricInfo info ? info.provider().equals("sm2")
                    : argument instanceof Hints hints && hints.toString().contains("sm2");
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** Its messages are as long as this world's. */
    private static boolean wouldBreak(Object argument) {
        try {
            return argument instanceof FabricInfo info ? info.provider().endsWith("ofi_rxm")
                    : argument instanceof Hints hints && (hints.toString().contains("ofi_rxm")
                            || hints.capabilities().contains(Capability.COLLECTIVE) || wouldFindRxm(hints));
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** Others may be carried by it, too. */
    private static boolean wouldFindRxm(Hints hints) {
        try (FabricInfoList infos = Fabric.getInfo(hints)) {
            return infos.first().provider().endsWith("ofi_rxm");
        } catch (FabricException | IllegalArgumentException | IllegalStateException | NoSuchElementException nothing) {
            return false;
        }
    }

    private static boolean wouldListen(Info<?> asked) {
        try {
            return asked.toString().contains("sockets") && asked.endpoint().type() != EndpointType.RDM;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    private static boolean wouldSendDatagrams(Info<?> asked) {
        try {
            return asked.endpoint().type() == EndpointType.DGRAM;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** Whether an endpoint crashes at the port of a process that was killed, to which others still send. */
    static boolean keepsPorts(String provider) {
        return Quirks.of(provider).has(Quirk.PACKETS_OUTLIVE_ENDPOINTS);
    }

    /** How long a buffer may be. */
    static long longest(String provider) {
        return provider.endsWith("ofi_rxm") ? QUARTER
                : provider.endsWith("ofi_rxd") ? QUARTER_PACKET : Long.MAX_VALUE;
    }

    /** Whether endpoints may be opened with these capabilities; without any, they get all. */
    static boolean allows(String provider, Capability... wishes) {
        if (List.of(wishes).contains(Capability.COLLECTIVE) && Quirks.of(provider).dangerOfCollectives() != null) {
            return false;
        }
        return !provider.endsWith("ofi_rxd") || wishes.length > 0 && List.of(wishes).stream().noneMatch(wish ->
                wish == Capability.RMA || wish == Capability.ATOMIC);
    }
}
