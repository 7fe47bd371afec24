// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A region that is closed while an operation under way may use its descriptor, which providers follow at the end. */
class RegionInUseTest {
    /** A device's demand is none for main memory; an arena has a registration of its own. */
    @ParameterizedTest
    @CsvSource({"shm, device", "shm, local", "shm, arena", "tcp;ofi_rxm, local", "tcp;ofi_rxm, arena"})
    void theOperationGoesOn(String provider, String demand) {
        assumeTrue(new Providers.Choice(provider, EndpointType.RDM).isOffered(hints -> {
            if (demand.equals("device")) {
                hints.addCapabilities(Capability.HMEM);
            }
        }), provider + " is not offered");
        ChildJvm.Result result = SharedJvm.run(RegionInUse.class, provider, demand);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    /** Nobody else can have the memory, so there is nothing to warn about. */
    @Test
    void memoryOfAClosedDomainIsStillKept() {
        assumeTrue(Providers.SHM.isOffered(hints -> hints.addCapabilities(Capability.HMEM)), "no shm with FI_HMEM");
        ChildJvm.Result result = SharedJvm.run(RegionInUse.class, "shm", "elsewhere");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED").doesNotContain("the arena of the memory was closed");
    }

    /** Receives in a shared context do not keep the region, and so the domain, open when all is closed. */
    @Test
    void theDomainClosesSharedContextsFirst() {
        assumeTrue(Providers.SOCKETS.isOffered());
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.openChanged(Providers.SOCKETS, hints -> { },
                LocalBuffersTest::demandRegistration)) {
            MemorySegment in = arena.allocate(100);
            MemoryRegion region = pair.domain.register(in, MemoryAccess.RECV);
            SharedReceiveContext shared = pair.domain.openSharedReceiveContext(pair.info);
            pair.post(() -> shared.messages().receive(in, Address.ANY, 1));
            assertThat(catchThrowable(region::close)).hasMessageContaining("shared receive context");
            pair.domain.close();
            assertThat(region.isOpen()).isFalse();
        }
    }

    /** Nothing tells when they are over. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp;ofi_rxm"})
    void silentOperationsUseItUntilTheEndpointIsClosed(String provider) {
        new Providers.Choice(provider, EndpointType.RDM).assumeOffered();
        try (Arena arena = Arena.ofShared(); Pair pair = RegionInUse.open(provider, "local")) {
            Endpoint endpoint = LocalBuffersTest.silent(pair);
            MemorySegment memory = arena.allocate(200);
            MemoryRegion remote = pair.b.endpoint.register(arena.allocate(100), MemoryAccess.REMOTE_READ);
            MemoryRegion region = pair.domain.register(memory, MemoryAccess.READ);
            pair.post(() -> endpoint.rma().read(memory, 0, 100, pair.a.peer, remote.remote(), 0, 2));
            MemoryRegion other = pair.domain.register(memory.asSlice(100), MemoryAccess.READ);
            other.close();
            assertThat(catchThrowable(region::close)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("report no completion").hasMessageContaining("close the endpoint first");
            endpoint.close();
            region.close();
        }
    }

    /** A receive that was posted before there was a region, or with another's descriptor, may stand for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp;ofi_rxm"})
    void aRegionThatNoOperationCanUseIsClosed(String provider) {
        new Providers.Choice(provider, EndpointType.RDM).assumeOffered();
        try (Arena arena = Arena.ofShared(); Pair pair = RegionInUse.open(provider, "local")) {
            MemorySegment in = arena.allocate(100);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 1, 0, 1));
            pair.domain.register(in, MemoryAccess.REMOTE_READ).close();
            MemorySegment known = arena.allocate(100);
            pair.domain.register(known, MemoryAccess.RECV);
            pair.post(() -> pair.b.endpoint.tagged().receive(known, Address.ANY, 2, 0, 2));
            pair.domain.register(known.asSlice(0, 10), MemoryAccess.REMOTE_READ).close();
        }
    }
}
