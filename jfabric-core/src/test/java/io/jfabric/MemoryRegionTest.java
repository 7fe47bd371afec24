// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.MrMode;
import io.jfabric.info.Version;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.option.HmemInterface;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import io.jfabric.option.MemoryRegionFlag;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory registration (fi_mr(3)). */
class MemoryRegionTest {
    static Stream<Providers.Choice> providers() {
        return Providers.rdm();
    }

    private static Pair open(Providers.Choice choice) {
        return Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA));
    }

    private static byte[] read(Pair pair, RemoteRegion region, long offset, int length) {
        MemorySegment in = Arena.ofAuto().allocate(length, 8);
        pair.post(() -> pair.a.endpoint.rma().read(in, pair.a.peer, region, offset, 99));
        pair.await(pair.a, 99);
        return in.toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aClosedDomainSaysThatItIs(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(64);
            pair.domain.close();
            assertThatThrownBy(() -> pair.domain.register(memory, MemoryAccess.REMOTE_READ))
                    .isInstanceOf(IllegalStateException.class).hasMessageStartingWith("the domain is closed");
            assertThatThrownBy(() -> pair.domain.register(List.of(memory, memory), MemoryAccess.REMOTE_READ))
                    .isInstanceOf(IllegalStateException.class).hasMessageStartingWith("the domain is closed");
        }
    }

    /** It is what C says where there is no key. */
    @ParameterizedTest
    @MethodSource("providers")
    void minusOneIsNoKey(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(64);
            MemoryRegionAttributes attributes = MemoryRegionAttributes.of(memory)
                    .withAccess(MemoryAccess.REMOTE_READ).withRequestedKey(-1);
            if (((DomainImpl) pair.domain).state().requires(MrMode.PROV_KEY)) {
                pair.domain.register(memory, -1, MemoryAccess.REMOTE_READ).close();
                pair.domain.register(attributes).close();
                return;
            }
            assertThatThrownBy(() -> pair.domain.register(memory, -1, MemoryAccess.REMOTE_READ))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("FI_KEY_NOTAVAIL");
            assertThatThrownBy(() -> pair.domain.register(attributes)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void servesWhatAttributesDescribe(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocateFrom("registered by attributes");
            MemoryRegion region = pair.domain.register(MemoryRegionAttributes.of(memory)
                    .withAccess(MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE, MemoryAccess.READ)
                    .withRequestedKey(4242).withAuthKey(new byte[0]).withDevice(HmemInterface.SYSTEM, 0));
            region.bind(pair.b.endpoint).enable();
            assertThat(region.access()).isEqualTo(Flags.of(MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE,
                    MemoryAccess.READ));
            assertThat(region.byteSize()).isEqualTo(memory.byteSize());
            assertThat(region.buffers()).containsExactly(memory);
            if (!((DomainImpl) pair.domain).state().requires(MrMode.PROV_KEY)) {
                assertThat(region.key()).isEqualTo(4242);
            }
            assertThat(new String(read(pair, region.remote(), 11, 2), StandardCharsets.UTF_8)).isEqualTo("by");
            region.close();
            region.close();
            assertThatThrownBy(region::remote).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void servesAMappedFile(Providers.Choice choice, @TempDir Path directory) throws IOException {
        Path file = directory.resolve("data");
        Files.writeString(file, "0123456789".repeat(1000));
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice);
             FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 10_000, arena);
            MemoryRegion region = pair.b.endpoint.register(mapped, MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE);
            assertThat(read(pair, region.remote(), 9_995, 5)).containsExactly('5', '6', '7', '8', '9');
            MemorySegment out = arena.allocateFrom("written by the peer");
            pair.post(() -> pair.a.endpoint.rma().write(out, 0, 19, pair.a.peer, region.remote(), 100, 1));
            pair.await(pair.a, 1);
            pair.until("the write", () -> mapped.get(ValueLayout.JAVA_BYTE, 118) == 'r');
            mapped.force();
            assertThat(Files.readString(file)).startsWith("0123456789".repeat(10) + "written by the peer90");
            region.close();
        }
    }

    private static void basic(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.RMA).domain().mrMode(MrMode.BASIC);
    }

    /** Those that take several buffers look at the first one alone. */
    @ParameterizedTest
    @MethodSource("providers")
    void joinsBuffersWhereTheProviderDoes(Providers.Choice choice) {
        joinsBuffers(open(choice));
        if (choice.isOffered(MemoryRegionTest::basic)) {
            joinsBuffers(Pair.open(choice, MemoryRegionTest::basic));
        }
    }

    private static void joinsBuffers(Pair opened) {
        try (Arena arena = Arena.ofShared(); Pair pair = opened) {
            MemorySegment first = arena.allocateFrom("first");
            MemorySegment second = arena.allocateFrom("second");
            List<MemorySegment> both = List.of(first, second);
            long limit = pair.info.domain().limits().mrIovLimit();
            if (limit < 2) {
                assertThatThrownBy(() -> pair.domain.register(both, MemoryAccess.REMOTE_READ))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("mrIovLimit");
                return;
            }
            MemoryRegion region = pair.domain.register(both, MemoryAccess.REMOTE_READ);
            MemoryRegion same = pair.domain.register(
                    MemoryRegionAttributes.of(first, second).withAccess(MemoryAccess.REMOTE_READ));
            for (MemoryRegion r : new MemoryRegion[] {region, same}) {
                assertThat(r.byteSize()).isEqualTo(13);
                assertThat(r.buffers()).containsExactly(first, second);
                assertThat(read(pair, r.remote(0), 0, 5)).isEqualTo("first".getBytes(StandardCharsets.UTF_8));
                assertThat(read(pair, r.remote(1), 1, 5)).isEqualTo("econd".getBytes(StandardCharsets.UTF_8));
                assertThatThrownBy(r::remote).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("remote(index)");
                assertThatThrownBy(() -> r.remote(2)).isInstanceOf(IndexOutOfBoundsException.class);
            }
            region.close();
            assertThatThrownBy(() -> region.remote(1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            // with it all that was registered for it
            assertThat(pair.domain.statistics().registeredBytes()).isEqualTo(13);
            same.close();
            writesToTheSecond(pair, arena);
        }
    }

    private static void writesToTheSecond(Pair pair, Arena arena) {
        MemorySegment second = arena.allocate(64);
        MemoryRegion region = pair.domain.register(List.of(arena.allocate(32), second), MemoryAccess.REMOTE_WRITE,
                MemoryAccess.READ);
        Counter counter = pair.info.provider().equals("sockets") ? pair.domain.openCounter() : null;
        if (counter != null) {
            region.bind(counter);
        }
        region.enable();
        MemorySegment out = arena.allocateFrom("written to the second");
        pair.post(() -> pair.a.endpoint.rma().write(out, pair.a.peer, region.remote(1), 40, 1));
        pair.await(pair.a, 1);
        pair.until("the write", () -> second.getString(40).equals("written to the second"));
        if (counter != null) {
            pair.until("the count", () -> counter.read() == 1);
        }
    }

    /** For local use alone they are one region. */
    @ParameterizedTest
    @MethodSource("providers")
    void oneRegionForLocalBuffers(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            if (pair.info.domain().limits().mrIovLimit() > 1) {
                long before = pair.domain.statistics().regions();
                pair.domain.register(List.of(arena.allocate(8), arena.allocate(8)), MemoryAccess.SEND);
                assertThat(pair.domain.statistics().regions()).isEqualTo(before + 1);
            }
        }
    }

    @Test
    void rightsAndFlagsAreReplaced() {
        MemoryRegionAttributes attributes = MemoryRegionAttributes.of(Arena.ofAuto().allocate(8))
                .withAccess(MemoryAccess.REMOTE_READ).withAccess(MemoryAccess.READ, MemoryAccess.WRITE)
                .withFlags(MemoryRegionFlag.RMA_EVENT).withFlags();
        assertThat(attributes.access()).isEqualTo(Flags.of(MemoryAccess.READ, MemoryAccess.WRITE));
        assertThat(attributes.flags().isEmpty()).isTrue();
        assertThat(attributes.withAccess().access().isEmpty()).isTrue();
        assertThat(MemoryRegionAttributes.ofDmabuf(3, 0, 8, 0).withFlags(MemoryRegionFlag.RMA_EVENT).flags().bits())
                .isEqualTo(MemoryRegionFlag.DMABUF.code() | MemoryRegionFlag.RMA_EVENT.code());
    }

    @Test
    void attributesAreShownWithoutTheirSecret() {
        assertThat(MemoryRegionAttributes.of(Arena.ofAuto().allocate(24)).withAccess(MemoryAccess.REMOTE_READ)
                .withAuthKey(new byte[] {77, 77, 77})).asString().contains("byteSize: 24", "FI_REMOTE_READ",
                        "requestedKey=any", "authKey=3 bytes").doesNotContain("77, 77");
        assertThat(MemoryRegionAttributes.ofDmabuf(3, 0, 8, 0).withRequestedKey(4)).asString()
                .contains("fd=3", "requestedKey=4");
    }

    /** What a provider without the mode answers: the same calls work where they do something and where not. */
    @ParameterizedTest
    @MethodSource("providers")
    void bindsEnablesAndRefreshes(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(4096, 4096);
            MemoryRegion region = pair.domain.register(memory, MemoryAccess.REMOTE_READ);
            assertThat(region.bind(pair.b.endpoint).enable()).isSameAs(region);
            // none of these providers has anything to refresh
            assertThatThrownBy(region::refresh).satisfies(MemoryRegionTest::isEnosys);
            assertThatThrownBy(() -> region.refresh(List.of(memory))).satisfies(MemoryRegionTest::isEnosys);
            assertThatThrownBy(region::rawKey).satisfies(MemoryRegionTest::isEnosys);
            RemoteRegion raw = RemoteRegion.ofRaw(0, 8, 0, new byte[16]);
            assertThatThrownBy(() -> pair.domain.mapKey(raw)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_mr_map_raw").hasMessageContaining(pair.info.provider());
            assertThatThrownBy(() -> pair.a.endpoint.rma().write(arena.allocate(8), pair.a.peer, raw, 0, 1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("fi_mr_map_raw");
            pair.domain.unmapKey(raw);
            // others need no import, but may have it
            pair.domain.mapKey(region.remote());
            pair.domain.unmapKey(region.remote());
        }
    }

    private static void isEnosys(Throwable t) {
        assertThat(t).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.ENOSYS));
    }

    /** Only sockets binds counters to regions; the others say so. */
    @ParameterizedTest
    @MethodSource("providers")
    void countsWritesToARegion(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(64, 8);
            MemoryRegion region = pair.domain.register(MemoryRegionAttributes.of(memory)
                    .withAccess(MemoryAccess.REMOTE_WRITE).withFlags(MemoryRegionFlag.RMA_EVENT));
            Counter counter = pair.domain.openCounter();
            if (!choice.provider().equals("sockets")) {
                assertThatThrownBy(() -> region.bind(counter)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("fi_mr_bind");
                return;
            }
            region.bind(counter).enable();
            RemoteRegion remote = region.remote();
            MemorySegment out = arena.allocate(8, 8);
            pair.post(() -> pair.a.endpoint.rma().write(out, pair.a.peer, remote, 8, 1));
            pair.await(pair.a, 1);
            pair.until("the count", () -> counter.read() == 1);
        }
    }

    /** There is no GPU here: what is checked is that the interface reaches the provider, which says no. */
    @Test
    void deviceMemoryNeedsADevice() {
        assumeTrue(Providers.SHM.isOffered(hints -> hints.capabilities(Capability.MSG, Capability.RMA,
                Capability.HMEM)), "no shm with FI_HMEM");
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SHM,
                hints -> hints.capabilities(Capability.MSG, Capability.RMA, Capability.HMEM))) {
            assertThat(((DomainImpl) pair.domain).state().describesDeviceMemory()).isTrue();
            MemorySegment memory = arena.allocate(4096, 4096);
            MemoryRegionAttributes attributes = MemoryRegionAttributes.of(memory).withAccess(MemoryAccess.REMOTE_READ);
            for (HmemInterface iface : HmemInterface.values()) {
                if (iface == HmemInterface.SYSTEM) {
                    pair.domain.register(attributes.withDevice(iface, 0)).close();
                } else {
                    assertThatThrownBy(() -> pair.domain.register(attributes.withDevice(iface, 0)))
                            .satisfies(MemoryRegionTest::isEnosys).hasMessageContaining(iface.name())
                            .hasMessageContaining("HMEM");
                }
            }
            // with descriptors of what is registered, and none of what is not
            MemoryRegion region = pair.domain.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE,
                    MemoryAccess.READ, MemoryAccess.WRITE);
            RemoteRegion remote = region.remote();
            MemorySegment other = arena.allocateFrom("not registered");
            Rma rma = pair.a.endpoint.rma();
            pair.post(() -> rma.write(other, pair.a.peer, remote, 0, 1));
            pair.await(pair.a, 1);
            pair.post(() -> rma.write(memory, 0, 15, pair.a.peer, remote, 100, 2));
            pair.await(pair.a, 2);
            pair.until("the copy", () -> memory.getString(100).equals("not registered"));
            pair.post(() -> rma.readRequest().buffers(other.asSlice(0, 4), memory.asSlice(500, 4))
                    .peer(pair.a.peer).range(remote, 100, 8).post(3));
            pair.await(pair.a, 3);
            assertThat(memory.asSlice(500, 4).toArray(ValueLayout.JAVA_BYTE)).containsExactly('r', 'e', 'g', 'i');
        }
        assertThat(HmemInterface.zeDevice(2, 3)).isEqualTo(0x20003);
    }

    @Test
    void whatIsTooNewIsRefused() {
        assumeTrue(Providers.RXM.isOffered(), "no tcp;ofi_rxm");
        try (Arena arena = Arena.ofShared(); Pair pair = open(Providers.RXM)) {
            MemorySegment memory = arena.allocate(64, 8);
            MemoryRegionAttributes attributes = MemoryRegionAttributes.of(memory).withAccess(MemoryAccess.REMOTE_READ);
            MemoryRegion base = pair.domain.register(attributes);
            registersSince(new Version(1, 22), pair, memory,
                    () -> pair.domain.register(attributes.withPageSize(4096)));
            for (Supplier<MemoryRegion> since20 : List.<Supplier<MemoryRegion>>of(
                    () -> pair.domain.register(attributes.withSubRegions(2)),
                    () -> base.registerPart(attributes),
                    () -> pair.domain.register(attributes.withFlags(MemoryRegionFlag.SINGLE_USE)))) {
                registersSince(new Version(2, 0), pair, memory, since20);
            }
            if (Fabric.version().atLeast(new Version(1, 20))) {
                refusesDmabufs(pair.domain);
                return;
            }
            MemoryRegionAttributes dmabuf = MemoryRegionAttributes.ofDmabuf(0, 0, 4096, 0);
            assertThatThrownBy(() -> pair.domain.register(dmabuf.withAccess(MemoryAccess.REMOTE_READ)))
                    .satisfies(MemoryRegionTest::isEnosys).hasMessageContaining("or newer");
        }
    }

    @Test
    void aPartIsInsideOfItsRegion() {
        assumeTrue(Providers.RXM.isOffered(), "no tcp;ofi_rxm");
        try (Arena arena = Arena.ofShared(); Pair pair = open(Providers.RXM)) {
            MemorySegment memory = arena.allocate(96, 8);
            MemoryRegion base = pair.domain.register(MemoryRegionAttributes.of(memory.asSlice(16, 64))
                    .withAccess(MemoryAccess.REMOTE_READ));
            for (MemorySegment outside : List.of(memory, memory.asSlice(15, 8), memory.asSlice(73, 8),
                    memory.asSlice(16, 65), arena.allocate(8))) {
                assertThatThrownBy(() -> base.registerPart(MemoryRegionAttributes.of(outside)
                        .withAccess(MemoryAccess.REMOTE_READ))).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("fi_mr_regattr: " + outside.byteSize() + " bytes at")
                        .hasMessageEndingWith("are not in the region");
            }
            registersSince(new Version(2, 0), pair, memory, () -> base.registerPart(MemoryRegionAttributes
                    .of(memory.asSlice(72, 8)).withAccess(MemoryAccess.REMOTE_READ)));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void eachBufferOfAPartIsReached(Providers.Choice choice) {
        assumeTrue(Fabric.version().atLeast(new Version(2, 0)), "no parts of regions");
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            assumeTrue(pair.info.domain().limits().mrIovLimit() > 1, "one buffer a region");
            List<MemorySegment> buffers = List.of(arena.allocate(64), arena.allocate(64));
            MemoryRegion base = pair.domain.register(MemoryRegionAttributes.of(buffers.get(0), buffers.get(1))
                    .withAccess(MemoryAccess.REMOTE_WRITE));
            MemoryRegion part = base.registerPart(MemoryRegionAttributes.of(buffers.get(0).asSlice(32),
                    buffers.get(1).asSlice(32)).withAccess(MemoryAccess.REMOTE_WRITE));
            for (int i = 0; i < 2; i++) {
                MemorySegment out = arena.allocateFrom("written to " + i);
                RemoteRegion remote = part.remote(i);
                pair.post(() -> pair.a.endpoint.rma().write(out, pair.a.peer, remote, 8, 1));
                pair.await(pair.a, 1);
                MemorySegment target = buffers.get(i);
                pair.until("the write", () -> target.getString(40).equals(out.getString(0)));
            }
            long regions = pair.domain.statistics().regions();
            part.close();
            base.close();
            assertThat(pair.domain.statistics().regions()).isLessThan(regions).isZero();
        }
    }

    @Test
    void aPartIsClosedWithItsRegion() throws InterruptedException {
        assumeTrue(Fabric.version().atLeast(new Version(2, 0)), "no parts of regions");
        try (Arena arena = Arena.ofShared(); Pair pair = open(Providers.RXM)) {
            MemorySegment memory = arena.allocate(64, 8);
            MemoryRegionAttributes attributes = MemoryRegionAttributes.of(memory).withAccess(MemoryAccess.REMOTE_READ);
            for (int round = 0; round < 3000; round++) {
                MemoryRegion base = pair.domain.register(attributes);
                AtomicBoolean started = new AtomicBoolean();
                Thread closer = new Thread(() -> {
                    while (!started.get()) {
                        Thread.onSpinWait();
                    }
                    base.close();
                });
                closer.start();
                MemoryRegion part = null;
                try {
                    started.set(true);
                    part = base.registerPart(attributes);
                } catch (IllegalStateException closed) {
                    assertThat(closed).hasMessageContaining("closed");
                }
                closer.join();
                assertThat(part == null || !part.isOpen()).as("round " + round).isTrue();
            }
            pair.domain.close();
        }
    }

    private static void registersSince(Version version, Pair pair, MemorySegment memory,
            Supplier<MemoryRegion> newer) {
        if (!Fabric.version().atLeast(version)) {
            assertThatThrownBy(newer::get).satisfies(MemoryRegionTest::isEnosys).hasMessageContaining("or newer");
            return;
        }
        MemoryRegion region = newer.get();
        memory.fill((byte) 7);
        assertThat(read(pair, region.remote(), 0, 2)).containsExactly(7, 7);
        region.close();
    }

    /** tcp would take what is said of the device for an address of this process. */
    private static void refusesDmabufs(Domain domain) {
        MemoryRegionAttributes dmabuf = MemoryRegionAttributes.ofDmabuf(0, 0, 4096, 4096)
                .withAccess(MemoryAccess.REMOTE_READ);
        if (domain.info().capabilities().contains(Capability.HMEM)) {
            assertThatThrownBy(() -> domain.register(dmabuf)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("withDevice");
        } else {
            assertThatThrownBy(() -> domain.register(dmabuf)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("HMEM");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void refusesWhatCannotBeRegistered(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            Domain domain = pair.domain;
            assertThatThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[8]), MemoryAccess.REMOTE_READ))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("heap");
            assertThatThrownBy(() -> domain.register(arena.allocate(0), MemoryAccess.REMOTE_READ))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0 bytes");
            assertThatThrownBy(() -> MemoryRegionAttributes.of(arena.allocate(0)))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0 bytes");
            assertThatThrownBy(() -> MemoryRegionAttributes.ofDmabuf(-1, 0, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class);
            // read as a struct of twice its size
            assertThatThrownBy(() -> MemoryRegionAttributes.of(arena.allocate(8)).withFlags(MemoryRegionFlag.DMABUF))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ofDmabuf");
            assertThatThrownBy(() -> domain.register((MemoryRegionAttributes) null))
                    .isInstanceOf(NullPointerException.class);
            if (!((DomainImpl) domain).state().requires(MrMode.PROV_KEY)) {
                domain.register(arena.allocate(8, 8), 7, MemoryAccess.REMOTE_READ);
                assertThatThrownBy(() -> domain.register(arena.allocate(8, 8), 7, MemoryAccess.REMOTE_READ))
                        .isInstanceOf(FabricException.class).hasMessageContaining("fi_mr_reg");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void refusesToNameFreedMemory(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
            Arena arena = Arena.ofShared();
            MemoryRegion region = pair.a.endpoint.register(arena.allocate(4096), MemoryAccess.REMOTE_READ);
            region.remote();
            arena.close();
            assertThatThrownBy(region::remote).isInstanceOf(IllegalStateException.class).hasMessageContaining("arena");
            region.close();
        }
    }
}
