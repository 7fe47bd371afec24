// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.AddressVector;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.MemoryRegion;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Providers;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The efa provider, on a TEST DOUBLE of its device, which scripts/test-efa puts in its place: the provider's code runs,
 * EFA hardware does not.
 */
@Timeout(600)
class EfaTest {
    private static final Providers.Choice RDM = new Providers.Choice("efa", EndpointType.RDM);
    private static final Providers.Choice DGRAM = new Providers.Choice("efa", EndpointType.DGRAM);
    /** No wait objects; the 2.1 and later have more for those who ask for it. */
    private static final Set<Feature> MISSING = EnumSet.of(Feature.BLOCKING);
    private static Map<Feature, Trials.Outcome> outcomes;

    @BeforeAll
    static void tryAll() {
        assumeTrue(System.getenv("JFABRIC_EFA_DOUBLE") != null, "scripts/test-efa runs this");
        assertThat(RDM.isOffered()).as("efa RDM is offered").isTrue();
        outcomes = Trials.run(RDM, List.copyOf(EnumSet.complementOf(EnumSet.copyOf(MISSING))), List.of());
    }

    @ParameterizedTest
    @EnumSource(value = Feature.class, mode = EnumSource.Mode.EXCLUDE, names = "BLOCKING")
    void reliableDatagrams(Feature feature) {
        assertThat(outcomes.get(feature).result()).as(outcomes.get(feature).why()).isEqualTo(Result.YES);
    }

    @Test
    void datagrams() {
        Trials.Outcome outcome =
                Trials.run(DGRAM, List.of(Feature.SMALL_MESSAGES), List.of()).get(Feature.SMALL_MESSAGES);
        assertThat(outcome.result()).as(outcome.why()).isEqualTo(Result.YES);
    }

    @Test
    void discovery() {
        try (Hints hints = Hints.create().provider("efa"); FabricInfoList infos = Fabric.getInfo(hints)) {
            assertThat(infos.stream().map(info -> info.endpoint().type()))
                    .contains(EndpointType.RDM, EndpointType.DGRAM);
            assertThat(infos.stream()).allSatisfy(info -> {
                assertThat(info.addressFormat()).isEqualTo(AddressFormat.ADDR_EFA);
                assertThat(info.nic().orElseThrow().device().orElseThrow().driver()).hasValue("efa");
                assertThat(info.domain().name().orElseThrow()).startsWith("efa_double");
            });
        }
    }

    @Test
    void datagramsWantLocalRegistrationAndAPrefix() {
        try (FabricInfoList infos = DGRAM.find(hints -> { })) {
            assertThat(infos.first().domain().mrMode().contains(MrMode.LOCAL)).isTrue();
            assertThat(infos.first().mode().contains(Mode.MSG_PREFIX)).isTrue();
            assertThat(infos.first().endpoint().messagePrefixSize()).isEqualTo(40);
        }
    }

    @Test
    void keysAreTheProviders() {
        try (FabricInfoList infos = RDM.find(hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
            assertThat(infos.first().domain().mrMode().toSet())
                    .contains(MrMode.VIRT_ADDR, MrMode.ALLOCATED, MrMode.PROV_KEY);
        }
    }

    @ParameterizedTest
    @EnumSource(value = EndpointType.class, names = {"RDM", "DGRAM"})
    void opensRegistersAndInserts(EndpointType type) {
        try (FabricInfoList infos = new Providers.Choice("efa", type).find(hints -> { });
                FabricInfo info = infos.first().duplicate(); Fabric fabric = Fabric.open(info)) {
            Domain domain = fabric.openDomain(info);
            AddressVector addresses = domain.openAddressVector();
            Endpoint endpoint = domain.openEndpoint(info)
                    .bind(domain.openCompletionQueue(CompletionFormat.DATA), BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).enable();
            // GID, number and key of the queue pair
            assertThat(endpoint.address().bytes()).hasSize(32);
            assertThat(endpoint.address().toString()).startsWith("FI_ADDR_EFA:fe80");
            long peer = addresses.insert(endpoint.address());
            assertThat(addresses.lookup(peer).bytes()).isEqualTo(endpoint.address().bytes());
            MemoryRegion region = domain.register(domain.openArena().allocate(4096), MemoryAccess.SEND,
                    MemoryAccess.RECV);
            assertThat(region.descriptor()).isNotZero();
        }
    }
}
