// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.info.Protocol;
import io.jfabric.info.Provider;
import io.jfabric.info.Version;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.FreePort;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an info says is believed by providers: only what libfabric itself has said gets there. */
class OpeningTest {
    private static final long MUCH = 1L << 40;

    @BeforeAll
    static void needsLibfabric() {
        assumeThat(Fabric.isAvailable()).as("libfabric is available").isTrue();
    }

    private static Map<String, Consumer<FabricInfo>> edits() {
        Map<String, Consumer<FabricInfo>> edits = new LinkedHashMap<>();
        edits.put("tx().size()", info -> info.tx().size(MUCH));
        edits.put("tx().size() was set to 0", info -> info.tx().size(0));
        edits.put("rx().size()", info -> info.rx().size(MUCH));
        edits.put("rx().size() was set to 0", info -> info.rx().size(0));
        edits.put("tx().iovLimit()", info -> info.tx().iovLimit(info.tx().iovLimit() + 1));
        edits.put("rx().iovLimit()", info -> info.rx().iovLimit(info.rx().iovLimit() + 1));
        edits.put("tx().rmaIovLimit()", info -> info.tx().rmaIovLimit(info.tx().rmaIovLimit() + 1));
        edits.put("tx().injectSize()", info -> info.tx().injectSize(info.tx().injectSize() + 1));
        edits.put("endpoint().txContextCount()", info -> info.endpoint().txContextCount(MUCH));
        edits.put("endpoint().rxContextCount()", info -> info.endpoint().rxContextCount(MUCH));
        edits.put("domain().limits().maxEndpointTxContexts()", info -> info.domain().limits()
                .maxEndpointTxContexts(info.domain().limits().maxEndpointTxContexts() + MUCH));
        edits.put("domain().limits().maxEndpointRxContexts()", info -> info.domain().limits()
                .maxEndpointRxContexts(info.domain().limits().maxEndpointRxContexts() + 1));
        edits.put("domain().limits().mrIovLimit()", info -> info.domain().limits()
                .mrIovLimit(info.domain().limits().mrIovLimit() + 1));
        edits.put("domain().limits().mrKeySize()", info -> info.domain().limits()
                .mrKeySize(info.domain().limits().mrKeySize() + 1));
        edits.put("fabric().providerVersion()", info -> info.fabric().providerVersion(new Version(99, 9)));
        edits.put("fabric().apiVersion()", info -> info.fabric().apiVersion(new Version(1, 4)));
        edits.put("endpoint().protocol()", info -> info.endpoint().protocol(Protocol.UNSPEC));
        edits.put("none are left", info -> info.capabilities(Flags.ofBits(Capability.class, 0)));
        edits.put("were not offered", info -> info.capabilities(Flags.ofBits(Capability.class,
                info.capabilities().bits() | 1L << 62)));
        return edits;
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void raisedLimitsAreRefused(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            edits().forEach((reason, edit) -> {
                try (FabricInfo edited = infos.first().duplicate()) {
                    edit.accept(edited);
                    for (Consumer<FabricInfo> opener : openers(fabric, domain)) {
                        assertThatThrownBy(() -> opener.accept(edited)).as(reason)
                                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(reason);
                    }
                }
            });
        }
    }

    /** By it providers decide what a region's addresses mean: writes would be reported, and change nothing. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void anotherApiVersionIsRefusedByFabrics(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo edited = infos.first().duplicate()) {
            edited.fabric().apiVersion(new Version(1, 4));
            assertThatThrownBy(() -> Fabric.open(edited)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fi_fabric").hasMessageContaining("fabric().apiVersion()");
        }
    }

    private static Iterable<Consumer<FabricInfo>> openers(Fabric fabric, Domain domain) {
        return Set.of(fabric::openDomain, domain::openEndpoint, domain::openScalableEndpoint,
                domain::openSharedReceiveContext, domain::openSharedTransmitContext, fabric::openPassiveEndpoint);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void whatWasOpenedIsNotChangedThroughItsInfo(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first()); Endpoint endpoint = domain.openEndpoint(infos.first())) {
            Map<String, Consumer<FabricInfo>> edits = edits();
            edits.put("provider", info -> info.fabric().providerName("other"));
            edits.put("address", info -> info.sourceAddress((Address) null));
            edits.put("format", info -> info.addressFormatCode(0));
            for (FabricInfo info : Set.of(domain.info(), endpoint.info())) {
                String before = info.toString();
                edits.forEach((name, edit) -> assertThatThrownBy(() -> edit.accept(info)).as(name)
                        .isInstanceOf(UnsupportedOperationException.class).hasMessageContaining("duplicate()"));
                assertThat(info).hasToString(before);
                try (FabricInfo duplicate = info.duplicate()) {
                    edits.forEach((name, edit) -> assertThatCode(() -> edit.accept(duplicate)).as(name)
                            .doesNotThrowAnyException());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void loweredLimitsAreNot(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo edited = infos.first().duplicate()) {
            edited.tx().size(Math.min(64, edited.tx().size())).iovLimit(1);
            edited.rx().size(Math.min(64, edited.rx().size())).iovLimit(1);
            try (Fabric fabric = Fabric.open(edited); Domain domain = fabric.openDomain(edited)) {
                assertThatCode(() -> domain.openEndpoint(edited)).doesNotThrowAnyException();
                // a copy of a copy was offered as much as the first
                try (FabricInfo again = edited.duplicate()) {
                    again.rx().iovLimit(infos.first().rx().iovLimit());
                    assertThatCode(() -> domain.openEndpoint(again)).doesNotThrowAnyException();
                }
            }
        }
    }

    @Test
    void whatNamesAProviderOnlyIsRefused() {
        try (Hints hints = Hints.create();
             FabricInfoList names = Fabric.getInfo(null, null, Set.of(GetInfoFlag.PROV_ATTR_ONLY), hints)) {
            for (FabricInfo name : names) {
                assertThatThrownBy(() -> Fabric.open(name)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("fi_fabric").hasMessageContaining("PROV_ATTR_ONLY");
                try (FabricInfo copy = name.duplicate()) {
                    assertThatThrownBy(() -> Fabric.open(copy)).hasMessageContaining("PROV_ATTR_ONLY");
                }
            }
            try (FabricInfoList infos = Providers.SHM.find(h -> { }); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first())) {
                FabricInfo name = names.stream().filter(i -> i.provider().equals("shm")).findFirst().orElseThrow();
                for (Consumer<FabricInfo> opener : openers(fabric, domain)) {
                    assertThatThrownBy(() -> opener.accept(name)).hasMessageContaining("PROV_ATTR_ONLY");
                }
            }
        }
    }

    @Test
    void namesOfProvidersAreOnlyThereWithoutOtherFlags() {
        Set<GetInfoFlag> both = Set.of(GetInfoFlag.PROV_ATTR_ONLY, GetInfoFlag.NUMERICHOST);
        try (FabricInfoList infos = Fabric.getInfo("127.0.0.1", null, both, null)) {
            Fabric.open(infos.first()).close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void theInfoOfAnotherProviderIsRefused(Providers.Choice choice) {
        Providers.Choice other = choice.provider().equals("udp") ? Providers.SHM : Providers.UDP;
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfoList others = other.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            for (Consumer<FabricInfo> opener : openers(fabric, domain)) {
                assertThatThrownBy(() -> opener.accept(others.first())).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("provider " + other.provider())
                        .hasMessageContaining("provider " + choice.provider());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void theTypeStaysAsItIs(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo edited = infos.first().duplicate();
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            edited.endpoint().type(choice.type() == EndpointType.MSG ? EndpointType.DGRAM : EndpointType.MSG);
            assertThatThrownBy(() -> domain.openEndpoint(edited)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fi_endpoint: the type of endpoint was changed");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void objectsOfOthersAreNotBound(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             Domain domain2 = fabric.openDomain(infos.first());
             Fabric fabric2 = Fabric.open(infos.first()); Domain domain3 = fabric2.openDomain(infos.first());
             Endpoint endpoint = domain.openEndpoint(infos.first())) {
            foreign("another domain", () -> endpoint.bind(domain2.openCompletionQueue(CompletionFormat.MSG),
                    BindFlag.RECV));
            foreign("another fabric", () -> endpoint.bind(domain3.openCompletionQueue(CompletionFormat.MSG),
                    BindFlag.RECV));
            foreign("another fabric", () -> endpoint.bind(fabric2.openEventQueue()));
            if (choice.type() != EndpointType.MSG) {
                foreign("another domain", () -> endpoint.bind(domain2.openAddressVector()));
            }
            EventQueue events = fabric.openEventQueue();
            foreign("another fabric", () -> events.write(0, domain3, 1, 2));
        }
    }

    private static void foreign(String whose, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("belongs to " + whose);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void aSourceAddressHasItsShape(Providers.Choice choice) {
        assumeTrue(choice.usesNetwork(), "no address of a network");
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo edited = infos.first().duplicate();
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            assumeThat(edited.addressFormat()).isEqualTo(AddressFormat.SOCKADDR_IN);
            for (byte[] wrong : new byte[][] {{2, 0, 1}, {(byte) 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}) {
                edited.sourceAddress(Address.of(AddressFormat.SOCKADDR_IN, wrong));
                assertThatThrownBy(() -> domain.openEndpoint(edited)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("the address");
            }
            try (Hints hints = choice.hints().sourceAddress(Address.of(AddressFormat.SOCKADDR_IN6, new byte[63]))) {
                assertThatThrownBy(() -> Fabric.getInfo(hints)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("63 bytes").hasMessageContaining("has 28");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void anInfoWithoutItsProvidersNameIsRefused(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo edited = infos.first().duplicate();
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            edited.fabric().providerName(null);
            assertThat(edited.provider()).isEmpty();
            assertThat(edited.summary()).contains(edited.domain().name().orElseThrow());
            assertThatThrownBy(() -> Fabric.open(edited)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fabric.openDomain(edited)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> domain.openEndpoint(edited)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Some give a fabric that cannot be closed, others crash at once: verbs and efa without a device, hooks. */
    @Test
    void theProviderOfAnInfoStays() {
        try (FabricInfoList infos = Providers.UDP.find(hints -> { })) {
            List<String> others = Fabric.providers().stream().map(Provider::name).flatMap(name ->
                    Stream.of(name, name.toUpperCase(Locale.ROOT), "other;" + name))
                    .filter(name -> !name.equals(infos.first().provider())).toList();
            assertThat(others).contains("tcp");
            for (String other : others) {
                try (FabricInfo edited = infos.first().duplicate()) {
                    edited.fabric().providerName(other);
                    assertThatThrownBy(() -> Fabric.open(edited).close()).as(other)
                            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("provider was changed");
                }
            }
        }
    }

    /** libfabric reads the family, and then as much as that has: beyond the end of what is shorter. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void anAddressOfNoStatedFormatIsLongEnoughForItsFamily(Providers.Choice choice) {
        byte[][] wrong = {{2}, {2, 0}, Arrays.copyOf(new byte[] {2}, 15), Arrays.copyOf(new byte[] {10}, 27),
            Arrays.copyOf(new byte[] {27}, 47)};
        for (byte[] bytes : wrong) {
            Address address = Address.of(AddressFormat.UNSPEC, bytes);
            for (boolean source : new boolean[] {true, false}) {
                try (Hints hints = choice.hints()) {
                    assertThatThrownBy(() -> Fabric.getInfo(source ? hints.sourceAddress(address)
                            : hints.destinationAddress(address))).isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("has " + bytes.length + " bytes");
                }
            }
        }
        for (int length : new int[] {16, 17, 200}) {
            try (Hints hints = choice.hints().sourceAddress(Address.of(AddressFormat.UNSPEC,
                    Arrays.copyOf(new byte[] {2}, length)))) {
                try {
                    Fabric.getInfo(hints).close();
                } catch (FabricException nothingMatches) {
                    assertThat(nothingMatches.operation()).isEqualTo("fi_getinfo");
                }
            }
        }
    }

    /** rxm of libfabric 1 takes every context for its own then. */
    @Test
    void receivesAreNotBuffered() {
        assumeThat(Fabric.version().atLeast(new Version(2, 0))).isFalse();
        Providers.offered(Providers.RXM).forEach(choice -> {
            try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo edited = infos.first().duplicate()) {
                edited.mode(Flags.ofBits(Mode.class, edited.mode().bits() | 1L << 51));
                try (Fabric fabric = Fabric.open(edited)) {
                    assertThatThrownBy(() -> fabric.openDomain(edited)).hasMessageContaining("FI_BUFFERED_RECV");
                }
            }
        });
    }

    @Test
    void whatIsMissingIsNamed() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("fi_fabric", () -> Fabric.open(null));
            calls.put("fi_domain", () -> fabric.openDomain(null));
            calls.put("fi_passive_ep", () -> fabric.openPassiveEndpoint(null));
            calls.put("fi_eq_open", () -> fabric.openEventQueue(null));
            calls.put("fi_endpoint", () -> domain.openEndpoint(null));
            calls.put("fi_scalable_ep", () -> domain.openScalableEndpoint(null));
            calls.put("fi_stx_context", () -> domain.openSharedTransmitContext(null));
            calls.put("fi_srx_context", () -> domain.openSharedReceiveContext(null));
            calls.put("fi_av_open", () -> domain.openAddressVector(null));
            calls.put("fi_cntr_open", () -> domain.openCounter(null));
            calls.put("fi_mr_regattr", () -> domain.register(null));
            calls.put("fi_mr_map_raw", () -> domain.mapKey(null));
            calls.put("fi_trywait", () -> fabric.tryWait((Waitable) null));
            calls.put("fi_av_remove", () -> domain.openAddressVector().remove((long[]) null));
            calls.forEach((operation, call) -> assertThatThrownBy(call::run).as(operation)
                    .isInstanceOf(NullPointerException.class).hasMessageContaining(operation + ":"));
            assertThat(fabric.isOpen()).isTrue();
        }
    }

    /** Two endpoints have one port, which providers find out when the second begins to listen. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatCouldNotBeEnabledCloses(Providers.Choice choice) {
        assumeTrue(choice.provider().equals("tcp;ofi_rxm"), "others share ports, have none, or see it earlier");
        for (int i = 0; i < 3; i++) {
            String port = Integer.toString(FreePort.choose());
            try (Hints hints = Hints.create().provider(choice.provider()).endpointType(EndpointType.RDM);
                    FabricInfoList infos = Fabric.getInfo("127.0.0.1", port, Set.of(GetInfoFlag.SOURCE), hints);
                    Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                Endpoint first = domain.openEndpoint(infos.first());
                Endpoint second = domain.openEndpoint(infos.first());
                for (Endpoint endpoint : List.of(first, second)) {
                    endpoint.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(domain.openAddressVector());
                }
                first.enable();
                assertThatThrownBy(second::enable).isInstanceOf(FabricException.class)
                        .hasMessageContaining("another endpoint has the address");
                assertThatThrownBy(second::enable).hasMessageContaining("fi_enable");
                assertThat(queue.poll(completion -> { }, 1)).isZero();
                second.close();
                assertThat(queue.poll(completion -> { }, 1)).isZero();
            }
        }
    }

    @Test
    void whatWasNeverEnabledCloses() {
        try (Hints hints = Hints.create().provider("sm2")) {
            Optional<FabricInfoList> found = Fabric.findInfo(null, null, Set.of(), hints);
            assumeTrue(found.isPresent(), "no sm2");
            try (FabricInfoList infos = found.orElseThrow(); Fabric fabric = Fabric.open(infos.first());
                    Domain domain = fabric.openDomain(infos.first())) {
                Endpoint endpoint = domain.openEndpoint(infos.first());
                endpoint.close();
                assertThat(endpoint.isOpen()).isFalse();
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                Endpoint bound = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(domain.openAddressVector());
                bound.close();
                assertThat(bound.isOpen()).isFalse();
                assertThat(queue.poll(completion -> { }, 1)).isZero();
            }
        }
    }

    @Test
    void collectivesNeedADomainForThem() {
        assumeTrue(Providers.RXM.isOffered());
        try (FabricInfoList without = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG));
                FabricInfoList with = Providers.RXM.find(hints ->
                        hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.COLLECTIVE));
                Fabric fabric = Fabric.open(without.first()); Domain domain = fabric.openDomain(without.first())) {
            if (Quirks.of(without.first().provider()).has(Quirk.COLLECTIVES_OF_DOMAIN)) {
                assertThatThrownBy(() -> domain.openEndpoint(with.first()))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("COLLECTIVE");
            }
            try (Endpoint endpoint = domain.openEndpoint(without.first())) {
                assertThat(endpoint.isOpen()).isTrue();
            }
        }
    }

    /** It is the domain's capabilities that its queues are made for. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void sourcesNeedADomainForThem(Providers.Choice choice) {
        assumeTrue(choice.isOffered(hints -> hints.capabilities(Capability.MSG, Capability.SOURCE)));
        try (FabricInfoList without = choice.find(hints -> hints.capabilities(Capability.MSG));
                FabricInfoList with = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.SOURCE));
                Fabric fabric = Fabric.open(without.first()); Domain domain = fabric.openDomain(without.first())) {
            boolean had = without.first().capabilities().contains(Capability.SOURCE);
            if (!had && Quirks.of(without.first().provider()).has(Quirk.SOURCES_OF_DOMAIN)) {
                assertThatThrownBy(() -> domain.openEndpoint(with.first()))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("SOURCE");
                return;
            }
            AddressVector addresses = domain.openAddressVector();
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint from = domain.openEndpoint(without.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).enable();
            Endpoint to = domain.openEndpoint(with.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).enable();
            long peer = addresses.insert(to.address());
            MemorySegment memory = Arena.ofAuto().allocate(16);
            long[] ended = new long[3];
            boolean waits = false;
            boolean sent = false;
            long end = System.nanoTime() + 10_000_000_000L;
            while (ended[1] + ended[2] < 2 && System.nanoTime() < end) {
                waits = waits || to.messages().receive(memory.asSlice(0, 8), Address.ANY, 1);
                sent = sent || waits && from.messages().send(memory.asSlice(8), peer, 2);
                queue.poll(completion -> ended[(int) completion.context()]++, 8);
            }
            assertThat(ended).containsExactly(0, 1, 1);
        }
    }
}
