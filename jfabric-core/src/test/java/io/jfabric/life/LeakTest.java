// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left after everything is closed while something was under way. */
@Timeout(60)
class LeakTest {
    private static final int CYCLES = 20;

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }

    @Test
    void aConnectionThatWasNotLookedAtLeavesNoDescriptor() {
        assumeTrue(Providers.RXM.isOffered());
        MemorySegment memory = Arena.ofAuto().allocate(64);
        int before = 0;
        for (int i = 0; i < CYCLES; i++) {
            if (i == 3) {
                before = descriptors();
            }
            try (Pair pair = Pair.open(Providers.RXM)) {
                assertThat(pair.a.endpoint.messages().send(memory, pair.a.peer, 1)).as("connects first").isFalse();
            }
        }
        assertThat(descriptors()).isLessThanOrEqualTo(before + 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "udp;ofi_rxd"})
    void anAddressThatCannotBeBoundLeavesNoDescriptor(String provider) {
        EndpointType type = provider.equals("udp") ? EndpointType.DGRAM : EndpointType.RDM;
        try (Hints hints = Hints.create().provider(provider).endpointType(type);
             FabricInfoList infos = Fabric.getInfo("127.0.0.1", null, Set.of(GetInfoFlag.SOURCE), hints);
             FabricInfo taken = infos.first().duplicate(); FabricInfo strange = infos.first().duplicate();
             Fabric fabric = Fabric.open(taken); Domain domain = fabric.openDomain(taken);
             CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
             AddressVector vector = domain.openAddressVector(); Endpoint endpoint = domain.openEndpoint(taken)) {
            endpoint.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector).enable();
            taken.sourceAddress(endpoint.address());
            strange.sourceAddress(Address.of(new InetSocketAddress("192.0.2.1", 0)));
            int before = descriptors();
            for (int i = 0; i < CYCLES; i++) {
                assertThatThrownBy(() -> domain.openEndpoint(taken)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("EADDRINUSE").hasMessageContaining("source address");
                assertThatThrownBy(() -> domain.openEndpoint(strange)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("EADDRNOTAVAIL").hasMessageContaining("one of this machine");
            }
            assertThat(descriptors()).isLessThanOrEqualTo(before + 3);
        }
    }

    /** The JDK takes it for a broadcast address, which Linux and libfabric do not. */
    @Test
    void anAddressMayEndIn255() {
        assumeTrue(Providers.UDP.isOffered());
        try (Hints hints = Providers.UDP.hints();
             FabricInfoList infos = Fabric.getInfo("127.1.2.255", null, Set.of(GetInfoFlag.SOURCE), hints);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
             AddressVector vector = domain.openAddressVector();
             Endpoint endpoint = domain.openEndpoint(infos.first())) {
            endpoint.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector).enable();
            assertThat(endpoint.address().toInetSocketAddress().getAddress().getHostAddress()).isEqualTo("127.1.2.255");
        }
    }

    @Test
    void closingEndsWithALargeMessageUnderWay() {
        assumeTrue(Providers.RXM.isOffered());
        Pair pair = Pair.open(Providers.RXM).connect();
        MemorySegment large = Arena.ofAuto().allocate(8 << 20);
        pair.b.endpoint.messages().receive(large, Address.ANY, 1);
        pair.post(() -> pair.a.endpoint.messages().send(large, pair.a.peer, 2));
        Throwable told = catchThrowable(pair.domain::close);
        if (told != null) {
            assertThat(told).isInstanceOf(FabricException.class).hasMessageContaining("It is closed now")
                    .hasMessageNotContaining("close what uses it");
        }
        pair.fabric.close();
        assertThat(List.<FabricObject>of(pair.a.endpoint, pair.a.queue, pair.b.endpoint, pair.domain, pair.fabric))
                .noneMatch(FabricObject::isOpen);
        pair.close();
    }
}
