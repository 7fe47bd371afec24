// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.EndpointType;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory whose region is closed in the middle of a peer's access, and which has another owner then. */
@Timeout(90)
class RegionCloseTest {
    private static final long SIZE = 64 << 20;

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"tcp;ofi_rxm, write", "tcp, write", "net, write", "sockets, write", "udp;ofi_rxd, write",
        "udp;ofi_rxd, read"})
    void aWriteThatHasBegunDoesNotReachTheNextOwner(String provider, String access) {
        assumeTrue(new Providers.Choice(provider, EndpointType.RDM).isOffered(), provider + " is not offered");
        ChildJvm.Result result = SharedJvm.run(RegionClose.class, provider, access);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    /** What is kept is address space. */
    @Test
    void itsMemoryIsGivenBackAtOnce() throws IOException {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            long before = Resident.bytes("RssAnon");
            for (int i = 0; i < 8; i++) {
                try (FabricArena arena = pair.domain.openArena();
                     MemoryRegion region = pair.domain.register(arena.allocate(SIZE).fill((byte) 1),
                             MemoryAccess.REMOTE_WRITE)) {
                    assertThat(region.byteSize()).isEqualTo(SIZE);
                }
            }
            assertThat(Resident.bytes("RssAnon") - before).isLessThan(SIZE);
        }
    }

    /** A program may open and close very many while its endpoints are open. */
    @Test
    void theArenaItselfIsForgotten() throws InterruptedException {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            WeakReference<FabricArena> arena = closedArena(pair);
            for (int i = 0; i < 500 && arena.get() != null; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(arena.get()).isNull();
        }
    }

    private static WeakReference<FabricArena> closedArena(Pair pair) {
        FabricArena arena = pair.domain.openArena();
        pair.domain.register(arena.allocate(SIZE), MemoryAccess.REMOTE_WRITE).close();
        arena.close();
        return new WeakReference<>(arena);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp;ofi_rxm", "shm"})
    void itsAddressesAreGivenBackWithTheEndpoints(String provider) throws IOException {
        Providers.Choice choice = new Providers.Choice(provider, EndpointType.RDM);
        assumeTrue(choice.isOffered(), provider + " is not offered");
        try (Pair pair = Pair.open(choice)) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment memory = arena.allocate(16 * SIZE);
            pair.domain.register(memory, MemoryAccess.REMOTE_WRITE).close();
            arena.close();
            assertThat(isMapped(memory)).as("while both are open").isTrue();
            pair.a.endpoint.close();
            assertThat(isMapped(memory)).as("while one is open").isTrue();
            pair.b.endpoint.close();
            assumeTrue(unmapsWhatIsFreed(pair.domain), "an allocator that keeps large memory, such as jemalloc");
            assertThat(isMapped(memory)).isFalse();
        }
    }

    /** Of the domain that is closed, the region is not. */
    @Test
    void aRegionOfAnotherDomainKeepsItsMemory() throws IOException {
        try (Pair pair = Pair.open(Providers.SHM)) {
            Domain owner = pair.fabric.openDomain(pair.info);
            MemorySegment memory = owner.openArena().allocate(SIZE);
            MemoryRegion region = pair.domain.register(memory, MemoryAccess.RECV);
            owner.close();
            assertThat(isMapped(memory)).isTrue();
            // looks through what is left
            pair.domain.openArena().close();
            assertThat(isMapped(memory)).isTrue();
            region.close();
            assumeTrue(unmapsWhatIsFreed(pair.domain), "an allocator that keeps large memory, such as jemalloc");
            assertThat(isMapped(memory)).isFalse();
        }
    }

    private static boolean unmapsWhatIsFreed(Domain domain) throws IOException {
        FabricArena arena = domain.openArena();
        MemorySegment memory = arena.allocate(16 * SIZE);
        arena.close();
        return !isMapped(memory);
    }

    /** Whether all of it is. */
    private static boolean isMapped(MemorySegment memory) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.map(line -> line.split("[- ]", 3)).anyMatch(range ->
                    Long.parseUnsignedLong(range[0], 16) <= memory.address()
                    && Long.parseUnsignedLong(range[1], 16) >= memory.address() + memory.byteSize());
        }
    }
}
