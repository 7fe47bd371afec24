// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that is not what it says: regions of a peer's, and what is registered here. */
class HostileRangesTest {
    private static final int LENGTH_AT = 12;
    private static final int BASE_AT = 4;

    private static byte[] bytes(long base, long length) {
        byte[] bytes = RemoteRegion.of(4096, 64, 7).toBytes();
        ByteBuffer.wrap(bytes).putLong(BASE_AT, base).putLong(LENGTH_AT, length);
        return bytes;
    }

    @Test
    void aRegionDoesNotWrap() {
        long[][] hostile = {{0, -1}, {0, Long.MIN_VALUE}, {-1, 2}, {-64, 65}, {Long.MAX_VALUE, Long.MIN_VALUE},
            {-1L << 12, Long.MAX_VALUE}};
        for (long[] range : hostile) {
            assertThatThrownBy(() -> RemoteRegion.of(bytes(range[0], range[1])))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> RemoteRegion.of(range[0], range[1], 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> RemoteRegion.ofRaw(range[0], range[1], 0, new byte[4]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (long[] range : new long[][] {{0, 0}, {-1, 0}, {-1, 1}, {-64, 64}, {Long.MAX_VALUE, 8}, {4096, 1L << 40}}) {
            assertThat(RemoteRegion.of(bytes(range[0], range[1])).byteSize()).isEqualTo(range[1]);
        }
        assertThatThrownBy(() -> RemoteRegion.ofRaw(0, 1, 0, new byte[5000]))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("5000 bytes");
        assertThatThrownBy(() -> RemoteRegion.ofRaw(0, 1, 0, null)).isInstanceOf(NullPointerException.class)
                .hasMessageContaining("RemoteRegion.ofRaw");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatCannotBeWrittenIsNotRegisteredForThat(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            MemorySegment fixed = arena.allocate(64).asReadOnly();
            for (MemoryAccess writing : List.of(MemoryAccess.REMOTE_WRITE, MemoryAccess.RECV, MemoryAccess.READ)) {
                refused("read-only", () -> domain.register(fixed, writing));
                refused("read-only", () -> domain.register(MemoryRegionAttributes.of(fixed).withAccess(writing)));
                refused("read-only", () -> domain.register(List.of(arena.allocate(64), fixed), writing));
            }
            for (MemorySegment beyond : List.of(MemorySegment.ofAddress(1L << 40).reinterpret(Long.MAX_VALUE),
                    MemorySegment.ofAddress(-4096).reinterpret(4096),
                    MemorySegment.ofAddress(-4096).reinterpret(8192))) {
                refused("more than there is memory", () -> domain.register(beyond, MemoryAccess.SEND));
                refused("more than there is memory",
                        () -> domain.register(MemoryRegionAttributes.of(beyond).withAccess(MemoryAccess.SEND)));
                refused("more than there is memory",
                        () -> domain.register(List.of(arena.allocate(64), beyond), MemoryAccess.SEND));
            }
            MemorySegment half = MemorySegment.ofAddress(1L << 40).reinterpret(1L << 62);
            refused("more than there is memory", () -> domain.register(List.of(half, half), MemoryAccess.SEND));
        }
    }

    private static void refused(String why, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fi_mr_reg")
                .hasMessageContaining(why);
    }

    @Test
    void completionsAndEventsReadWell() {
        try (Pair pair = Pair.open(Providers.SHM).connect(); Arena arena = Arena.ofShared()) {
            List<String> texts = new ArrayList<>();
            pair.post(() -> pair.b.endpoint.tagged().receive(arena.allocate(8), -1L, 5, 0, 11));
            pair.post(() -> pair.a.endpoint.tagged().send(arena.allocate(8), pair.a.peer, 5, 12));
            pair.untilWithoutProgress("a completion", () -> {
                pair.a.poll();
                pair.b.queue.poll(completion -> texts.add(completion.toString()), 1);
                return !texts.isEmpty();
            });
            assertThat(texts.getFirst()).startsWith("completion of context 11, [").contains("FI_RECV")
                    .contains("8 bytes").contains("tag 0x5");
            Done sent = pair.await(pair.a, 12);
            assertThat(sent.is(CompletionFlag.SEND)).isTrue();
            texts.clear();
            pair.post(() -> pair.b.endpoint.tagged().receive(arena.allocate(8), -1L, 5, 0, 13));
            pair.post(() -> pair.a.endpoint.tagged().send(arena.allocate(8), pair.a.peer, 5, 14));
            pair.untilWithoutProgress("the sender's completion", () -> {
                pair.b.poll();
                pair.a.queue.poll(completion -> texts.add(completion.toString()), 1);
                return !texts.isEmpty();
            });
            assertThat(texts.getFirst()).startsWith("completion of context 14, [").endsWith("]").contains("FI_SEND");
            assertThat(new FabricEvent.Connected(pair.a.endpoint, "hi\n".getBytes()).toString())
                    .contains("data=3 bytes 68690a \"hi.\"").doesNotContain("[B@");
            assertThat(new EventException(null, 0, 0, 111, 0, "Success", "full house".getBytes()))
                    .hasMessageContaining("with it came 10 bytes").hasMessageContaining("\"full house\"")
                    .hasMessageNotContainingAny("Success");
        }
    }
}
