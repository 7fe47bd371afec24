// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.Parameter;
import io.jfabric.info.Provider;
import io.jfabric.info.Version;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code fi_getinfo} with every kind of argument, and the lists it gives. */
class GetInfoTest {
    @BeforeEach
    void needsLibfabric() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    private static Hints tcp() {
        return Hints.create().provider("tcp").endpointType(EndpointType.MSG).addressFormat(AddressFormat.SOCKADDR_IN);
    }

    /** Providers of devices that no test machine has. */
    @Test
    void aProviderWithoutItsDeviceIsSaidToHaveNone() {
        List<String> here = Fabric.providers().stream().map(Provider::name).toList();
        for (String name : List.of("efa", "opx", "psm2", "psm")) {
            try (Hints hints = Hints.create().provider(name)) {
                if (here.contains(name)) {
                    assertThatThrownBy(() -> Fabric.getInfo(hints).close()).isInstanceOf(FabricException.class)
                            .hasMessageContaining("FI_ENODATA").hasMessageContaining("\"" + name + "\" is in this libf")
                            .hasMessageContaining("no device");
                }
            }
        }
    }

    /** This provider has no such order together with atomics. */
    @Test
    void theOrderThatExcludesACapabilityIsNamed() {
        try (Hints hints = Hints.create().provider("tcp;ofi_rxm").capabilities(Capability.RMA, Capability.ATOMIC)) {
            hints.tx().messageOrder(MessageOrder.SAS, MessageOrder.WAW);
            assertThat(Fabric.explain(hints)).contains("FI_ATOMIC alone), tx().messageOrder [")
                    .endsWith(" (of them FI_ORDER_WAW alone)").doesNotContain("rx()");
            hints.rx().messageOrder(MessageOrder.WAW);
            assertThat(Fabric.explain(hints)).endsWith(", messageOrder of both tx() and rx()");
            hints.tx().messageOrder(MessageOrder.SAS, MessageOrder.RMA_WAW, MessageOrder.ATOMIC_WAW);
            hints.rx().messageOrder(MessageOrder.SAS);
            Fabric.getInfo(hints).close();
        }
    }

    @Test
    void aNodeIsAPeerOrWithSourceThisSide() {
        Address address = Address.of(new InetSocketAddress("127.0.0.1", 47_611));
        try (Hints hints = tcp()) {
            try (FabricInfoList infos = Fabric.getInfo("127.0.0.1", "47611", Set.of(), hints)) {
                assertThat(infos.first().destinationAddress()).contains(address);
            }
            try (FabricInfoList infos = Fabric.getInfo("127.0.0.1", "47611",
                    Set.of(GetInfoFlag.SOURCE, GetInfoFlag.NUMERICHOST), hints)) {
                assertThat(infos.first().sourceAddress()).contains(address);
                assertThat(infos.first().destinationAddress()).isEmpty();
            }
            try (FabricInfoList infos = Fabric.getInfo("localhost", "47611", Set.of(), hints)) {
                assertThat(infos.first().destinationAddress()).contains(address);
            }
        }
    }

    /** Older libraries would take the bit for something else, or for nothing. */
    @Test
    void devicesAreLookedForAgainWhereTheLibraryCan() {
        try (Hints hints = tcp()) {
            if (Fabric.version().atLeast(new Version(2, 2))) {
                try (FabricInfoList infos = Fabric.getInfo("127.0.0.1", null, Set.of(GetInfoFlag.RESCAN), hints)) {
                    assertThat(infos.first().provider()).isEqualTo("tcp");
                }
            } else {
                assertThatThrownBy(() -> Fabric.getInfo("127.0.0.1", null, Set.of(GetInfoFlag.RESCAN), hints).close())
                        .isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOSYS")
                        .hasMessageContaining("FI_RESCAN needs libfabric 2.2");
            }
        }
    }

    @Test
    void aListIsAListUntilItIsClosed() {
        FabricInfoList infos = Fabric.getInfo(null);
        List<String> byIteration = new ArrayList<>();
        for (FabricInfo info : infos) {
            byIteration.add(info.summary());
        }
        assertThat(infos.stream().map(FabricInfo::summary)).containsExactlyElementsOf(byIteration);
        assertThat(infos).hasSize(byIteration.size());
        assertThat(infos.toString().lines().toList()).zipSatisfy(byIteration,
                (line, summary) -> assertThat(line).startsWith(summary));
        FabricInfo first = infos.first();
        FabricInfo copy = first.duplicate();
        String text = first.toString();
        infos.close();
        infos.close();
        assertThatThrownBy(infos::first).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(infos::size).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> infos.forEach(i -> { })).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(first::capabilities).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("duplicate()");
        assertThatThrownBy(() -> first.tx().size()).isInstanceOf(IllegalStateException.class);
        assertThat(copy.toString()).as("the duplicate outlives the list").isEqualTo(text);
        copy.close();
        copy.close();
        assertThatThrownBy(copy::provider).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void knowsProvidersAndParameters() {
        assertThat(Fabric.providers()).extracting(Provider::name).contains("tcp", "udp", "shm", "ofi_rxm");
        assertThat(Fabric.providers()).allMatch(p -> p.version().code() > 0);
        List<Parameter> parameters = Fabric.parameters();
        assertThat(parameters).hasSizeGreaterThan(50).allMatch(p -> p.name().startsWith("FI_"))
                .allMatch(p -> p.type() != Parameter.Type.UNRECOGNIZED);
        assertThat(parameters).extracting(Parameter::name).contains("FI_PROVIDER", "FI_LOG_LEVEL");
        assertThatThrownBy(() -> Fabric.setParameter("PATH", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fabric.setParameter("FI_TCP_IFACE=lo", "x"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("name");
        assertThatThrownBy(() -> Fabric.setParameter("FI_TCP_IFACE", "l\0o"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("value");
    }

    /** Which makes no sense without its format, as is found when the explanation leaves that out. */
    @Test
    void explainsHintsWithAnAddressOfAnAbsentDevice() {
        try (Hints hints = Hints.create()) {
            hints.addressFormat(AddressFormat.ADDR_CXI)
                    .destinationAddress(Address.of(AddressFormat.ADDR_CXI, new byte[] {10, 0, 0, 0}));
            assertThatThrownBy(() -> Fabric.getInfo(hints)).isInstanceOf(FabricException.class);
            assertThat(Fabric.explain(hints)).isNotEmpty();
        }
    }

    /** The program has set an address, and no format. */
    @Test
    void explainsThatAnAddressIsOfTheWrongFormat() {
        try (Hints hints = Hints.rdm().provider("shm")
                .sourceAddress(Address.of(new InetSocketAddress("127.0.0.1", 0)))) {
            assertThat(Fabric.explain(hints)).contains("the addresses, which are of format FI_SOCKADDR_IN");
        }
    }

    @Test
    void explainsWhatHintIsToBlame() {
        try (Hints hints = tcp()) {
            assertThat(Fabric.explain(hints)).isEqualTo("there is a match");
            hints.endpointType(EndpointType.DGRAM);
            assertThat(Fabric.explain(hints)).contains("provider \"tcp\"").contains("endpointType FI_EP_DGRAM");
            assertThatThrownBy(() -> Fabric.getInfo(hints)).hasMessageContaining("endpointType FI_EP_DGRAM");
        }
    }

    @Test
    void explainsWhichCapabilityIsToBlame() {
        try (Hints hints = Hints.rdm().provider("tcp")) {
            hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.MULTICAST);
            assertThat(Fabric.explain(hints)).contains("capabilities [FI_MSG, FI_TAGGED, FI_MULTICAST] (of them "
                    + "FI_MULTICAST alone)");
            hints.addCapabilities(Capability.NAMED_RX_CTX);
            assertThat(Fabric.explain(hints)).contains("(nothing here has FI_MULTICAST and FI_NAMED_RX_CTX)");
        }
    }

    @Test
    void closedHintsAreRefused() {
        Hints hints = tcp();
        hints.close();
        hints.close();
        assertThatThrownBy(() -> Fabric.getInfo(hints)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Hints is closed");
        assertThatThrownBy(() -> hints.tx().size(1)).isInstanceOf(IllegalStateException.class);
    }
}
