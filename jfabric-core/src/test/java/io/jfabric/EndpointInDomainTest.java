// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AvType;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.MrMode;
import io.jfabric.info.Progress;
import io.jfabric.info.ResourceManagement;
import io.jfabric.info.Threading;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Providers look at what an endpoint was opened with, or at what its domain was: the two must not contradict. */
class EndpointInDomainTest {
    /** What of an endpoint's own the provider looks up in its domain. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void someCapabilitiesNeedADomainForThem(Providers.Choice choice) {
        Map<Capability, Quirk> all = Map.of(Capability.DIRECTED_RECV, Quirk.DIRECTED_BY_DOMAIN, Capability.ATOMIC,
                Quirk.ATOMICS_OF_DOMAIN);
        all.forEach((capability, quirk) -> {
            if (!choice.isOffered(hints -> hints.capabilities(Capability.MSG, capability))) {
                return;
            }
            try (FabricInfoList without = choice.find(hints -> hints.capabilities(Capability.MSG));
                    FabricInfoList with = choice.find(hints -> hints.capabilities(Capability.MSG, capability));
                    Fabric fabric = Fabric.open(without.first()); Domain domain = fabric.openDomain(without.first())) {
                if (!without.first().capabilities().contains(capability)
                        && Quirks.of(without.first().provider()).has(quirk)) {
                    assertThatThrownBy(() -> domain.openEndpoint(with.first()))
                            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(capability.name());
                } else {
                    domain.openEndpoint(with.first()).close();
                }
            }
        });
    }

    /** A message has its own source or none, and never that of an earlier one. */
    @Test
    void noSourceIsThatOfAnotherMessage() {
        assumeTrue(Providers.RXM.isOffered(hints -> hints.capabilities(Capability.MSG, Capability.SOURCE)));
        try (FabricInfoList with = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG, Capability.SOURCE));
                FabricInfoList without = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG));
                Fabric fabric = Fabric.open(with.first()); Domain domain = fabric.openDomain(with.first());
                Arena arena = Arena.ofShared()) {
            Side to = Side.open(domain, without.first());
            Side from = Side.open(domain, with.first());
            to.addresses.insert(Side.open(domain, with.first()).endpoint.address());
            long source = to.addresses.insert(from.endpoint.address());
            long peer = from.addresses.insert(to.endpoint.address());
            MemorySegment memory = arena.allocate(16);
            boolean[] posted = new boolean[2];
            Done[] done = new Done[1];
            Waits.spin("nothing has come", () -> {
                posted[0] = posted[0] || to.endpoint.messages().receive(memory.asSlice(0, 8), Address.ANY, 1);
                posted[1] = posted[1] || posted[0] && from.endpoint.messages().send(memory.asSlice(8), peer, 2);
                from.poll();
                to.poll();
                done[0] = to.take(each -> each.context() == 1);
                return done[0] != null;
            });
            assertThat(done[0].source()).isIn(source, Address.NOT_AVAILABLE);
        }
    }

    /** Of one fabric are the wildcards of both families, which have peers of their own. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void addressesAreOfTheFormatOfTheDomain(Providers.Choice choice) {
        assumeTrue(choice.usesNetwork() && !choice.isVerbs(), "other addresses");
        try (FabricInfoList four = at(choice, "0.0.0.0"); FabricInfoList six = at(choice, "::")) {
            refuses(four.first(), six.first());
            refuses(six.first(), four.first());
        }
    }

    private static FabricInfoList at(Providers.Choice choice, String node) {
        try (Hints hints = choice.hints()) {
            return Fabric.getInfo(node, null, Set.of(GetInfoFlag.SOURCE), hints);
        }
    }

    private static void refuses(FabricInfo ofDomain, FabricInfo ofEndpoint) {
        assertThat(ofEndpoint.fabric().name()).isEqualTo(ofDomain.fabric().name());
        try (Fabric fabric = Fabric.open(ofDomain); Domain domain = fabric.openDomain(ofDomain)) {
            assertThatThrownBy(() -> domain.openEndpoint(ofEndpoint)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(ofDomain.addressFormat().nativeName())
                    .hasMessageContaining(ofEndpoint.addressFormat().nativeName())
                    .hasMessageContaining("open a domain");
        }
    }

    static Stream<Providers.Choice> all() {
        return Providers.all();
    }

    /** Providers look at the one or the other, and some crash where they differ. */
    @ParameterizedTest
    @MethodSource("all")
    void anEndpointHasTheSettingsOfItsDomain(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             FabricInfo edited = infos.first().duplicate();
             Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            edited.domain().threading(other(edited.domain().threading(), Threading.SAFE, Threading.DOMAIN))
                    .controlProgress(other(edited.domain().controlProgress(), Progress.AUTO, Progress.MANUAL))
                    .dataProgress(other(edited.domain().dataProgress(), Progress.AUTO, Progress.MANUAL))
                    .resourceManagement(other(edited.domain().resourceManagement(), ResourceManagement.ENABLED,
                            ResourceManagement.DISABLED))
                    .avType(other(edited.domain().avType(), AvType.TABLE, AvType.MAP))
                    .mrMode(edited.domain().mrMode().with(MrMode.LOCAL).with(MrMode.ALLOCATED));
            try (Endpoint endpoint = domain.openEndpoint(edited)) {
                assertThat(endpoint.info().domain().toString()).isEqualTo(domain.info().domain().toString());
            }
        }
    }

    /** The provider would look for descriptors that nobody has given it, and crash. */
    @Test
    void buffersAreRegisteredIfTheDomainSaysSo() {
        assumeTrue(Providers.RXM.isOffered(), "ofi_rxm is not offered");
        ChildJvm.Result result = SharedJvm.run(LongSend.class);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** It shows what its domain has, in place of what it was offered with. */
    @Test
    void anEndpointsOwnInfoOpensAnother() {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
             FabricInfoList others = Providers.RXM.find(hints -> hints.domain()
                     .mrMode(Flags.of(MrMode.BASIC)));
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             Endpoint endpoint = domain.openEndpoint(others.first())) {
            assertThat(others.first().domain().mrMode()).isNotEqualTo(domain.info().domain().mrMode());
            assertThat(endpoint.info().domain().mrMode()).isEqualTo(domain.info().domain().mrMode());
            domain.openEndpoint(endpoint.info()).close();
        }
    }

    /** What a process of its own does: sends what is too long to be copied. */
    static final class LongSend {
        private static final int SIZE = 100_000;

        private LongSend() {
        }

        public static void main(String[] args) {
            try (FabricInfoList infos = Providers.RXM.find(hints -> { });
                 FabricInfo local = infos.first().duplicate()) {
                local.domain().mrMode(local.domain().mrMode().with(MrMode.LOCAL));
                send(infos.first(), local);
                send(local, infos.first());
            }
        }

        private static void send(FabricInfo ofDomain, FabricInfo ofEndpoint) {
            try (Fabric fabric = Fabric.open(ofDomain); Domain domain = fabric.openDomain(ofDomain);
                 Arena arena = Arena.ofShared()) {
                Side from = Side.open(domain, ofEndpoint);
                Side to = Side.open(domain, ofEndpoint);
                long peer = from.addresses.insert(to.endpoint.address());
                MemorySegment out = arena.allocate(SIZE).fill((byte) 5);
                MemorySegment in = arena.allocate(SIZE);
                boolean[] posted = new boolean[2];
                Waits.spin("nothing has come", () -> {
                    posted[0] = posted[0] || to.endpoint.messages().receive(in, Address.ANY, 1);
                    posted[1] = posted[1] || posted[0] && from.endpoint.messages().send(out, peer, 2);
                    from.poll();
                    to.poll();
                    return to.take(each -> each.context() == 1) != null;
                });
                Waits.spin("nothing was sent", () -> {
                    from.poll();
                    to.poll();
                    return from.take(each -> each.context() == 2) != null;
                });
                assertThat(in.mismatch(out)).isEqualTo(-1);
            }
        }
    }

    private static <T> T other(T now, T first, T second) {
        return now == first ? second : first;
    }
}
