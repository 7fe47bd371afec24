// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.shared.LocalRegions;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.Direction;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arena that cannot be closed under an operation. */
class FabricArenaTest {
    private static final long BIG = 8 << 20;
    /** More than malloc ever keeps for itself. */
    private static final long HUGE = 64 << 20;

    static Stream<Providers.Choice> registering() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    private static void refuses(FabricArena arena, String... why) {
        assertThat(arena.tryClose()).isFalse();
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be closed").hasMessageContainingAll(why);
        assertThat(arena.scope().isAlive()).isTrue();
    }

    private static void closed(FabricArena arena, MemorySegment segment) {
        assertThat(arena.scope().isAlive()).isFalse();
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        arena.close();
        assertThat(arena.tryClose()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocatesZeroedAndAligned(boolean registered) {
        try (Pair pair = registered ? demanding(Providers.SHM) : Pair.open(Providers.SHM);
                FabricArena arena = pair.domain.openArena()) {
            List<MemorySegment> all = new ArrayList<>();
            for (int round = 0; round < 5; round++) {
                for (long size : new long[] {0, 1, 63, 64, 65, 4095, 4096, 4097, 10_000, 1 << 20, BIG}) {
                    for (long alignment : new long[] {1, 8, 64, 128, 4096, 1 << 16}) {
                        MemorySegment segment = arena.allocate(size, alignment);
                        assertThat(segment.byteSize()).isEqualTo(size);
                        assertThat(segment.address() % alignment).isZero();
                        assertThat(segment.scope()).isEqualTo(arena.scope());
                        assertThat(segment.isAccessibleBy(Thread.ofVirtual().unstarted(() -> { }))).isTrue();
                        if (size <= 10_000) {
                            assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(new byte[(int) size]);
                            segment.fill((byte) -1);
                            all.add(segment);
                        }
                    }
                }
            }
            overlapNowhere(all);
        }
    }

    static void overlapNowhere(List<MemorySegment> all) {
        List<MemorySegment> sorted = all.stream().filter(segment -> segment.byteSize() > 0)
                .sorted(Comparator.comparingLong(MemorySegment::address)).toList();
        for (int i = 1; i < sorted.size(); i++) {
            MemorySegment before = sorted.get(i - 1);
            assertThat(sorted.get(i).address()).isGreaterThanOrEqualTo(before.address() + before.byteSize());
        }
    }

    @Test
    void refusesWhatCannotBe() {
        try (Pair pair = Pair.open(Providers.SHM); FabricArena arena = pair.domain.openArena()) {
            for (long huge : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 64, 1L << 60}) {
                assertThatThrownBy(() -> arena.allocate(huge)).isInstanceOf(OutOfMemoryError.class)
                        .hasMessageContaining(huge + " bytes");
            }
            assertThatThrownBy(() -> arena.allocate(1, 1L << 62)).isInstanceOf(OutOfMemoryError.class);
            assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.allocate(1, 3)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.allocate(1, 0)).isInstanceOf(IllegalArgumentException.class);
            assertThat(arena.allocateFrom("still works").getString(0)).isEqualTo("still works");
            MemorySegment readOnly = arena.allocate(8).asReadOnly();
            assertThatThrownBy(() -> pair.a.endpoint.messages().receive(readOnly, Address.ANY, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aPostedReceiveKeepsItOpen(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment in = arena.allocate(BIG);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 77));
            refuses(arena, "context 77 of endpoint");
            MemorySegment out = arena.allocateFrom("hello").asReadOnly();
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 78));
            pair.await(pair.b, 77);
            pair.await(pair.a, 78);
            assertThat(in.getString(0)).isEqualTo("hello");
            arena.close();
            closed(arena, in);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void anOperationOfAnotherDomainKeepsItOpen(Providers.Choice choice) {
        try (Pair owner = Pair.open(choice); Pair pair = Pair.open(choice).connect()) {
            FabricArena arena = owner.domain.openArena();
            MemorySegment in = arena.allocate(BIG);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 77));
            refuses(arena, "context 77 of endpoint");
            MemoryRegion region = pair.domain.register(arena.allocate(8), MemoryAccess.RECV);
            pair.post(() -> pair.a.endpoint.messages().send(in.asSlice(0, 8), pair.a.peer, 78));
            pair.await(pair.b, 77);
            pair.await(pair.a, 78);
            refuses(arena, region.toString());
            region.close();
            arena.close();
            closed(arena, in);
        }
    }

    /** Were it unmapped the process would die. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void memoryThatAnotherDomainUsesOutlivesItsDomain(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            MemorySegment in;
            try (Pair owner = Pair.open(choice)) {
                in = owner.domain.openArena().allocate(HUGE);
                MemorySegment mine = in;
                pair.post(() -> pair.b.endpoint.messages().receive(mine, Address.ANY, 77));
            }
            assertThat(in.scope().isAlive()).isFalse();
            MemorySegment out = Arena.ofAuto().allocate(8);
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 78));
            pair.await(pair.b, 77);
            pair.await(pair.a, 78);
            long before = mappedBytes();
            pair.domain.openArena().allocate(8);
            // jemalloc and others keep address space that was freed
            if (System.getenv("LD_PRELOAD") == null) {
                assertThat(mappedBytes()).as("freed, now that nothing uses it").isLessThan(before - HUGE / 2);
            }
        }
    }

    private static long mappedBytes() {
        try {
            return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[0]) * 4096;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void closingTheEndpointEndsItsOperations(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment in = arena.allocate(BIG);
            MessageRequest receive = pair.b.endpoint.messages().receiveRequest()
                    .buffers(Arena.ofAuto().allocate(8), in.asSlice(4096, 8)).peer(Address.ANY);
            pair.post(() -> receive.post(5));
            refuses(arena, "context 5 of endpoint");
            pair.b.endpoint.close();
            arena.close();
            closed(arena, in);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void onConnectedEndpointsToo(Providers.Choice choice) {
        try (Connected connected = new Connected(choice)) {
            Side[] sides = connected.connect(endpoint -> { });
            FabricArena arena = connected.domain.openArena();
            MemorySegment in = arena.allocate(BIG);
            sides[1].endpoint.messages().receive(in, Address.ANY, 7);
            refuses(arena, "context 7 of endpoint");
            sides[0].endpoint.messages().send(arena.allocateFrom("hello"), 0, 8);
            connected.await(() -> sides[1].take(done -> done.context() == 7));
            connected.await(() -> sides[0].take(done -> done.context() == 8));
            arena.close();
            closed(arena, in);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aRegionKeepsItOpen(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA)).connect()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment target = arena.allocate(BIG);
            MemorySegment source = arena.allocate(1 << 16).fill((byte) 5);
            MemoryRegion region = pair.b.endpoint.register(target, MemoryAccess.REMOTE_WRITE);
            MemoryRegion again = pair.domain.register(target.asSlice(100, 1), MemoryAccess.REMOTE_READ);
            RemoteRegion remote = region.remote();
            for (int i = 0; i < 50; i++) {
                long offset = i * source.byteSize();
                long context = i;
                pair.post(() -> pair.a.endpoint.rma().write(source, pair.a.peer, remote, offset, context));
                refuses(arena, " of " + BIG + " bytes for [FI_REMOTE_WRITE]");
                pair.await(pair.a, context);
            }
            region.close();
            refuses(arena, again.toString());
            again.close();
            arena.close();
            closed(arena, target);
            assertThatThrownBy(() -> pair.domain.register(target, MemoryAccess.REMOTE_WRITE))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /** The same of memory that is freed once nobody can reach it. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void unreportedReceivesKeepOtherMemoryReachable(Providers.Choice choice) throws InterruptedException {
        try (Pair pair = Pair.open(choice)) {
            WeakReference<MemorySegment.Scope> memory;
            AddressVector av = pair.domain.openAddressVector();
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            try (Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT)
                    .bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION).bind(av).enable()) {
                memory = receive(endpoint);
                receive(endpoint);
                assertThat(isCollected(memory, 5)).isFalse();
            }
            assertThat(isCollected(memory, 500)).isTrue();
        }
    }

    private static WeakReference<MemorySegment.Scope> receive(Endpoint endpoint) {
        MemorySegment in = Arena.ofAuto().allocate(1 << 16);
        assertThat(endpoint.messages().receive(in, Address.ANY, 1)).isTrue();
        return new WeakReference<>(in.scope());
    }

    private static boolean isCollected(WeakReference<?> reference, int tries) throws InterruptedException {
        for (int i = 0; i < tries && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return reference.get() == null;
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void unreportedSendsKeepItOpenUntilTheEndpointIsClosed(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            AddressVector av = pair.domain.openAddressVector();
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint endpoint = pair.domain.openEndpoint(pair.info)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.SELECTIVE_COMPLETION).bind(queue, BindFlag.RECV)
                    .bind(av).enable();
            long peer = av.insert(pair.b.endpoint.address().bytes());
            FabricArena reported = pair.domain.openArena();
            FabricArena unreported = pair.domain.openArena();
            MemorySegment out = unreported.allocate(8);
            MemorySegment first = reported.allocate(8);
            MemorySegment foreign = Arena.ofAuto().allocate(8);
            try (FabricArena inbox = pair.domain.openArena()) {
                for (int i = 0; i < 4; i++) {
                    MemorySegment in = inbox.allocate(8);
                    long context = i;
                    pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, context));
                }
                // some report with context 0 what they should not
                CompletionHandler none = completion -> assertThat(completion.context()).isIn(0L, 1L);
                MessageRequest send = endpoint.messages().sendRequest().buffers(first).peer(peer)
                        .flags(OperationFlag.COMPLETION);
                pair.post(() -> polling(queue, none, send.post(1)));
                pair.untilWithoutProgress("send", () -> polling(queue, none, pair.a.poll() + pair.b.poll() < 0)
                        || reported.tryClose());
                pair.post(() -> polling(queue, none, endpoint.messages().send(foreign, peer, 2)));
                pair.post(() -> polling(queue, none, endpoint.messages().send(out, peer, 3)));
                pair.post(() -> polling(queue, none, endpoint.messages().send(out, peer, 4)));
                for (int i = 0; i < 4; i++) {
                    long context = i;
                    pair.awaitAny(pair.b, done -> {
                        queue.poll(none, 1);
                        return done.context() == context;
                    });
                }
            }
            if (Quirks.of(pair.info.provider()).reportUnasked()) {
                pair.untilWithoutProgress("end", () -> polling(queue, any -> { }, unreported.tryClose()));
                return;
            }
            refuses(unreported, "endpoint@", "report no completion");
            endpoint.close();
            if (Quirks.of(choice.provider()).has(Quirk.CLOSED_PEERS_IN_USE)) {
                // the provider still has it
                refuses(unreported, "endpoint (closed)", "that know it");
                pair.b.endpoint.close();
            }
            unreported.close();
            closed(unreported, out);
        }
    }

    private static boolean polling(CompletionQueue queue, CompletionHandler handler, boolean result) {
        queue.poll(handler, 1);
        return result;
    }

    @ParameterizedTest
    @MethodSource("registering")
    void largeTransfersKeepItOpen(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            FabricArena source = pair.domain.openArena();
            FabricArena target = pair.domain.openArena();
            MemorySegment out = source.allocate(BIG).fill((byte) 3);
            MemorySegment in = target.allocate(BIG);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            pair.until("received", () -> {
                if (pair.b.take(done -> done.context() == 1) != null) {
                    return true;
                }
                assertThat(target.tryClose()).isFalse();
                return false;
            });
            assertThat(in.mismatch(out)).isEqualTo(-1);
            target.close();
            pair.await(pair.a, 2);
            source.close();
            closed(target, in);
            closed(source, out);
        }
    }

    @ParameterizedTest
    @MethodSource("registering")
    void tryCloseWaitsForAnotherThread(Providers.Choice choice) throws InterruptedException {
        try (Pair pair = Pair.open(choice).connect()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment in = arena.allocate(BIG);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 7));
            long start = System.nanoTime();
            assertThat(arena.tryClose(Duration.ofMillis(50))).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(50),
                    Duration.ofSeconds(5));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> arena.tryClose(Duration.ofDays(1L << 30))).isInstanceOfSatisfying(
                    FabricException.class, why -> assertThat(why.error()).isEqualTo(FabricError.EINTR));
            assertThat(Thread.interrupted()).isTrue();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread closer = Thread.ofPlatform().start(() -> {
                try {
                    assertThat(arena.tryClose(Duration.ofSeconds(20))).isTrue();
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            Threads.awaitWaiting(closer);
            pair.post(() -> pair.a.endpoint.messages().send(Arena.ofAuto().allocate(8), pair.a.peer, 8));
            pair.await(pair.b, 7);
            closer.join(20_000);
            assertThat(failure.get()).isNull();
            closed(arena, in);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void closesWithItsDomain(Providers.Choice choice) {
        FabricArena arena;
        MemorySegment in;
        try (Pair pair = Pair.open(choice).connect()) {
            arena = pair.domain.openArena();
            in = arena.allocate(BIG);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 7));
            pair.domain.register(in, MemoryAccess.REMOTE_WRITE);
            assertThat(arena.tryClose()).isFalse();
        }
        closed(arena, in);
    }

    @ParameterizedTest
    @MethodSource("registering")
    void isRegisteredWhereThatIsDemanded(Providers.Choice choice) {
        try (Pair pair = demanding(choice)) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment out = arena.allocate(100).fill((byte) 7);
            MemorySegment in = arena.allocate(100_000);
            LocalRegions regions = ((DomainImpl) pair.domain).state().localRegions();
            assertThat(regions.descriptor(in.address(), in.byteSize(), true)).isNotEqualTo(LocalRegions.NONE);
            assertThat(regions.descriptor(out.address(), 99, true)).isNotEqualTo(LocalRegions.NONE);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            refuses(arena, "context 1");
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            pair.await(pair.b, 1);
            pair.await(pair.a, 2);
            assertThat(in.asSlice(0, 100).mismatch(out)).isEqualTo(-1);
            long address = in.address();
            arena.close();
            assertThat(regions.descriptor(address, 1, true)).isEqualTo(LocalRegions.NONE);
        }
    }

    static Pair demanding(Providers.Choice choice) {
        return Pair.openChanged(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED),
                LocalBuffersTest::demandRegistration);
    }

    /** A channel that blocks keeps the segment, as FFM does for native code of others. */
    @Test
    void aChannelThatWritesFromIt() throws Exception {
        Pipe pipe = Pipe.open();
        try (Pair pair = Pair.open(Providers.SHM); Pipe.SourceChannel source = pipe.source()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment segment = arena.allocate(BIG);
            Thread writer = Thread.ofPlatform().start(() -> {
                try (Pipe.SinkChannel sink = pipe.sink()) {
                    sink.write(segment.asByteBuffer());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            ByteBuffer first = ByteBuffer.allocate(1);
            source.read(first);
            refuses(arena, "channel");
            assertThat(arena.tryClose(Duration.ofMillis(20))).isFalse();
            ByteBuffer rest = ByteBuffer.allocate(1 << 16);
            while (source.read(rest.clear()) >= 0) {
                // until the writer is done
                continue;
            }
            writer.join();
            arena.close();
            closed(arena, segment);
        }
    }

    @ParameterizedTest
    @MethodSource("registering")
    void whatAnAliasStartedOutlivesIt(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment in = arena.allocate(64);
            Endpoint alias;
            try {
                alias = pair.b.endpoint.alias(Direction.RECEIVE, Flags.ofBits(OperationFlag.class, 0));
            } catch (FabricException none) {
                abort(choice + ": " + none.getMessage());
                return;
            }
            pair.post(() -> alias.messages().receive(in, Address.ANY, 7));
            alias.close();
            refuses(arena, "context 7 of " + pair.b.endpoint);
            pair.post(() -> pair.a.endpoint.messages().send(Arena.ofAuto().allocate(8), pair.a.peer, 8));
            pair.await(pair.b, 7);
            arena.close();
            closed(arena, in);
        }
    }
}
