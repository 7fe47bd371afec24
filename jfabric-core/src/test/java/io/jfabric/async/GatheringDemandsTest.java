// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.internal.async.operation.BufferList;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of several buffers where providers want registered memory, or a prefix before messages. No software provider
 * does, so their infos are edited to say so, as in LocalBuffersTest.
 */
@Timeout(60)
class GatheringDemandsTest {
    private static final long PREFIX = 24;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static Node open(Providers.Choice choice, Consumer<FabricInfo> demand, Capability... more) {
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED)
                .addCapabilities(more))) {
            demand.accept(infos.first());
            return Node.open(infos.first());
        }
    }

    private static void demandRegistration(FabricInfo info) {
        info.domain().mrMode(info.domain().mrMode().with(MrMode.LOCAL));
    }

    private static void demandPrefix(FabricInfo info) {
        info.endpoint().messagePrefixSize(PREFIX);
        info.tx().mode(Mode.MSG_PREFIX);
        info.rx().mode(Mode.MSG_PREFIX);
    }

    /** Some of the program's own, some of the node's, which is registered. */
    private static List<MemorySegment> buffers(Node node, Arena arena, int count, long middle) {
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(Bytes.pattern(i % 2 == 0 ? arena : node.memory(), i == count / 2 ? middle : 7 + i, i + 1));
        }
        return buffers;
    }

    /** A message into as many buffers as it may be, some of the program's own. */
    private static void scattered(Node a, Node b, Peer toB, Arena arena, long size, int own) throws Exception {
        List<MemorySegment> rooms = new ArrayList<>();
        long limit = BufferList.mostReceived(b.info());
        assertThat(limit).isLessThanOrEqualTo(b.info().rx().iovLimit() - own);
        for (int i = 0; i < limit; i++) {
            rooms.add((i % 2 == 0 ? arena : b.memory()).allocate(i < limit - 1 ? 5 : size));
        }
        MemorySegment message = Bytes.pattern(a.memory(), size, 8);
        CompletableFuture<Received> got = b.receive(rooms, 6);
        get(a.send(message, toB, 6));
        assertThat(get(got).length()).isEqualTo(size);
        long at = 0;
        for (MemorySegment room : rooms) {
            long bytes = Math.min(room.byteSize(), size - at);
            assertThat(room.asSlice(0, bytes).mismatch(message.asSlice(at, bytes))).isEqualTo(-1);
            at += bytes;
        }
    }

    private static void exchange(Providers.Choice choice, Consumer<FabricInfo> demand, int own) throws Exception {
        try (Node a = open(choice, demand); Node b = open(choice, demand); Arena arena = Arena.ofShared()) {
            Peer toB = a.peer(b.address());
            int limit = (int) a.info().tx().iovLimit() - own;
            for (long middle : new long[] {0, 1, 5000, 100_000}) {
                List<MemorySegment> buffers = buffers(a, arena, limit, middle);
                MemorySegment all = b.allocate(size(buffers));
                scattered(a, b, toB, arena, all.byteSize(), own);
                MemorySegment in = b.allocate(all.byteSize() + 64);
                CompletableFuture<Received> got = b.receive(in, 5);
                get(a.send(buffers, toB, 5));
                assertThat(get(got).length()).isEqualTo(all.byteSize());
                long at = 0;
                for (MemorySegment buffer : buffers) {
                    assertThat(in.asSlice(at, buffer.byteSize()).mismatch(buffer)).as("at %s", at).isEqualTo(-1);
                    at += buffer.byteSize();
                }
            }
            assertThatThrownBy(() -> a.send(buffers(a, arena, limit + 1, 8), toB, 5))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at most " + limit);
            assertThat(a.underWay() + a.waiting()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whereMemoryIsRegistered(Providers.Choice choice) throws Exception {
        exchange(choice, GatheringDemandsTest::demandRegistration, 0);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void writesAndReadsWhereMemoryIsRegistered(Providers.Choice choice) throws Exception {
        try (Node a = open(choice, GatheringDemandsTest::demandRegistration, Capability.RMA);
             Node b = open(choice, GatheringDemandsTest::demandRegistration, Capability.RMA);
             Arena arena = Arena.ofShared()) {
            Peer toB = a.peer(b.address());
            MemorySegment memory = b.allocate(200_000);
            RemoteRegion region = b.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).remote();
            List<MemorySegment> out = buffers(a, arena, 10, 100_000);
            get(a.write(out, toB, region, 3));
            List<MemorySegment> in = buffers(a, arena, 10, 100_000);
            in.forEach(buffer -> buffer.fill((byte) 0));
            Nodes.eventually(() -> memory.get(ValueLayout.JAVA_BYTE, 2 + size(out))
                    == out.getLast().get(ValueLayout.JAVA_BYTE, out.getLast().byteSize() - 1));
            get(a.read(in, toB, region, 3));
            for (int i = 0; i < 10; i++) {
                assertThat(in.get(i).mismatch(out.get(i))).isEqualTo(-1);
            }
        }
    }

    private static long size(List<MemorySegment> buffers) {
        return buffers.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    /** It is one of as many buffers as the provider takes. */
    @ParameterizedTest
    @MethodSource("providers")
    void whereMessagesHaveAPrefix(Providers.Choice choice) throws Exception {
        exchange(choice, info -> {
            demandRegistration(info);
            demandPrefix(info);
        }, 1);
    }
}
