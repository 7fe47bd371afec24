// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The software providers that tests can use, as far as the installed libfabric offers them. The methods without
 * arguments are sources for {@code @MethodSource("io.jfabric.testkit.Providers#rdm")}.
 */
public final class Providers {
    /** Shared memory of one host. */
    public static final Choice SHM = new Choice("shm", EndpointType.RDM);
    /** Connections made reliable datagrams. */
    public static final Choice RXM = new Choice("tcp;ofi_rxm", EndpointType.RDM);
    /** The old provider that has everything. */
    public static final Choice SOCKETS = new Choice("sockets", EndpointType.RDM);
    /** UDP made reliable. */
    public static final Choice RXD = new Choice("udp;ofi_rxd", EndpointType.RDM);
    /** Since libfabric 1.18 or so: RDM without rxm. */
    public static final Choice TCP_RDM = new Choice("tcp", EndpointType.RDM);
    /** Unreliable datagrams. */
    public static final Choice UDP = new Choice("udp", EndpointType.DGRAM);
    /** Unreliable datagrams of the old provider. */
    public static final Choice SOCKETS_DGRAM = new Choice("sockets", EndpointType.DGRAM);
    /** Connections over TCP. */
    public static final Choice TCP_MSG = new Choice("tcp", EndpointType.MSG);
    /** Connections of the old provider. */
    public static final Choice SOCKETS_MSG = new Choice("sockets", EndpointType.MSG);
    /** Connections of an RDMA device made reliable datagrams. */
    public static final Choice VERBS_RXM = new Choice("verbs;ofi_rxm", EndpointType.RDM);
    /** Unreliable datagrams of an RDMA device. */
    public static final Choice VERBS_DGRAM = new Choice("verbs", EndpointType.DGRAM);
    /** Connections of an RDMA device. */
    public static final Choice VERBS_MSG = new Choice("verbs", EndpointType.MSG);
    /** One endpoint for each process. */
    public static final Choice PSM3 = new Choice("psm3", EndpointType.RDM);
    /** What takes no address of a network. */
    private static final Set<String> WITHOUT_NETWORK = Set.of("shm", "sm2", "psm3", "efa", "lnx");
    /** IP address of the RDMA device that tests may use: scripts/test-verbs sets it, nobody else has to. */
    private static final String VERBS_ADDRESS = System.getenv("JFABRIC_VERBS_ADDRESS");

    private Providers() {
    }

    /** A provider and one of its endpoint types. */
    public record Choice(String provider, EndpointType type) {
        /** Hints for this choice, to be closed. */
        public Hints hints() {
            Hints hints = Hints.create().provider(provider).endpointType(type);
            if (provider.equals("efa")) {
                // not efa-direct, which newer releases offer first
                hints.fabric().name("efa");
            }
            return hints;
        }

        /** The address of this machine that endpoints of this process have. */
        public String address() {
            return isVerbs() ? VERBS_ADDRESS : Loopback.own();
        }

        /** Whether it needs an RDMA device. */
        public boolean isVerbs() {
            return provider.startsWith("verbs");
        }

        /** Skips the test where this machine does not have it. */
        public void assumeOffered() {
            assumeTrue(offered(this).findAny().isPresent(), () -> this + " is not offered here");
        }

        /** What this machine has for it, on loopback where there are networks; skips the test where it has nothing. */
        public FabricInfoList find(Consumer<Hints> more) {
            try {
                return search(more);
            } catch (FabricException none) {
                assumeOffered();
                throw none;
            }
        }

        private FabricInfoList search(Consumer<Hints> more) {
            try (Hints hints = hints()) {
                more.accept(hints);
                return usesNetwork()
                        ? Fabric.getInfo(address(), null, Set.of(GetInfoFlag.SOURCE), hints)
                        : Fabric.getInfo(hints);
            }
        }

        /** Whether its addresses are of a network. */
        public boolean usesNetwork() {
            return !WITHOUT_NETWORK.contains(provider);
        }

        /** Whether this machine has it. */
        public boolean isOffered() {
            return isOffered(hints -> { });
        }

        /** Whether there is something that satisfies these hints too. */
        public boolean isOffered(Consumer<Hints> more) {
            if (isVerbs() && VERBS_ADDRESS == null) {
                return false;
            }
            // asked for RDM, libfabric 1.17 offers tcp;ofi_rxm under the name tcp
            try (FabricInfoList infos = search(more)) {
                return infos.first().provider().equals(provider);
            } catch (FabricException none) {
                return false;
            }
        }

        @Override
        public String toString() {
            return provider + " " + type;
        }
    }

    /** Reliable datagrams: what most features can be tested on. */
    public static Stream<Choice> rdm() {
        return offered(SHM, RXM, SOCKETS, RXD, TCP_RDM, VERBS_RXM);
    }

    /** Unreliable datagrams. */
    public static Stream<Choice> dgram() {
        return offered(UDP, SOCKETS_DGRAM, VERBS_DGRAM);
    }

    /** All that need no connection. */
    public static Stream<Choice> connectionless() {
        return Stream.concat(rdm(), dgram());
    }

    /** Connected endpoints. */
    public static Stream<Choice> msg() {
        return offered(TCP_MSG, SOCKETS_MSG, VERBS_MSG);
    }

    /** Every provider with every type of endpoint. */
    public static Stream<Choice> all() {
        return Stream.concat(connectionless(), msg());
    }

    /** Those of the choices that this machine has; without libfabric the test is skipped. */
    public static Stream<Choice> offered(Choice... choices) {
        assumeTrue(Fabric.isAvailable(), () -> "libfabric is not available: " + Fabric.unavailabilityCause());
        return List.of(choices).stream().filter(Choice::isOffered);
    }
}
