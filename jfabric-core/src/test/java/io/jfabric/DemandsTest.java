// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a provider demands by the bits of its info: it goes on using it where the program clears them. */
class DemandsTest {
    private static final int SIZE = 1000;

    private record Place(String name, Function<FabricInfo, Flags<Mode>> get,
            BiConsumer<FabricInfo, Flags<Mode>> set) {
    }

    private static final List<Place> PLACES = List.of(
            new Place("mode()", FabricInfo::mode, FabricInfo::mode),
            new Place("tx().mode()", info -> info.tx().mode(), (info, flags) -> info.tx().mode(flags)),
            new Place("rx().mode()", info -> info.rx().mode(), (info, flags) -> info.rx().mode(flags)),
            new Place("domain().mode()", info -> info.domain().mode(), (info, flags) -> info.domain().mode(flags)));

    private static void hints(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.RMA);
    }

    /** What is refused is refused before the provider is asked, by all that open something. */
    private static void refused(Fabric fabric, Domain domain, FabricInfo edited, String place, String flag) {
        assertThatThrownBy(() -> fabric.openDomain(edited)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fi_domain").hasMessageContaining(place).hasMessageContaining(flag);
        assertThatThrownBy(() -> domain.openEndpoint(edited)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fi_endpoint").hasMessageContaining(place).hasMessageContaining(flag);
    }

    @Test
    void whatIsDemandedStays() {
        List<String> demanded = new ArrayList<>();
        Providers.all().filter(choice -> choice.isOffered(DemandsTest::hints))
                .forEach(choice -> clearEach(choice, demanded));
        assertThat(demanded).as("what the providers here demand").isNotEmpty();
    }

    private static void clearEach(Providers.Choice choice, List<String> demanded) {
        try (FabricInfoList infos = choice.find(DemandsTest::hints); Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first())) {
            for (MrMode flag : infos.first().domain().mrMode().toSet()) {
                try (FabricInfo edited = infos.first().duplicate()) {
                    edited.domain().mrMode(edited.domain().mrMode().without(flag));
                    refused(fabric, domain, edited, "domain().mrMode()", flag.name());
                    demanded.add(choice + " " + flag);
                }
            }
            for (Place place : PLACES) {
                for (Mode flag : place.get.apply(infos.first()).toSet()) {
                    try (FabricInfo edited = infos.first().duplicate()) {
                        place.set.accept(edited, place.get.apply(edited).without(flag));
                        refused(fabric, domain, edited, place.name, flag.name());
                        demanded.add(choice + " " + flag);
                    }
                }
            }
        }
    }

    static Stream<Providers.Choice> withSm2() {
        return Stream.concat(Providers.all(), Providers.offered(new Providers.Choice("sm2", EndpointType.RDM)));
    }

    /** The infos of open objects, copies of them, and those that ask for more than the provider does. */
    @ParameterizedTest
    @MethodSource("withSm2")
    void whatIsLegalStaysSo(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first());
                FabricInfo copy = domain.info().duplicate(); FabricInfo more = infos.first().duplicate()) {
            domain.openEndpoint(domain.info()).close();
            domain.openEndpoint(copy).close();
            more.domain().mrMode(more.domain().mrMode().with(MrMode.LOCAL));
            domain.openEndpoint(more).close();
            fabric.openDomain(more).close();
        }
    }

    /** What is added is refused, or right: the provider must not take an address for an offset. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsAddedIsNotHalfTrue(Providers.Choice choice) {
        if (!choice.isOffered(DemandsTest::hints)) {
            return;
        }
        for (MrMode flag : List.of(MrMode.VIRT_ADDR, MrMode.PROV_KEY, MrMode.ALLOCATED, MrMode.BASIC,
                MrMode.SCALABLE)) {
            try (FabricInfoList infos = choice.find(DemandsTest::hints); Fabric fabric = Fabric.open(infos.first());
                    FabricInfo edited = infos.first().duplicate()) {
                edited.domain().mrMode(edited.domain().mrMode().with(flag));
                try (Domain domain = fabric.openDomain(edited)) {
                    write(domain, edited);
                } catch (IllegalArgumentException | FabricException refused) {
                    assertThat(refused).as(flag.name()).hasMessageContaining("fi_domain");
                }
            }
        }
    }

    private static void write(Domain domain, FabricInfo info) {
        Side from = Side.open(domain, info);
        Side to = Side.open(domain, info);
        long peer = from.addresses.insert(to.endpoint.address());
        to.addresses.insert(from.endpoint.address());
        FabricArena arena = domain.openArena();
        MemorySegment source = arena.allocate(SIZE).fill((byte) 3);
        MemorySegment target = arena.allocate(SIZE);
        RemoteRegion region = to.endpoint.register(target, MemoryAccess.REMOTE_WRITE).remote();
        boolean[] posted = new boolean[1];
        boolean[] done = new boolean[1];
        Waits.spin("nothing was written", () -> {
            posted[0] = posted[0] || from.endpoint.rma().write(source, peer, region, 0, 1);
            from.poll();
            to.poll();
            done[0] = done[0] || from.take(each -> each.context() == 1) != null;
            return done[0] && target.mismatch(source) == -1;
        });
    }
}
