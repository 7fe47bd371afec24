// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.FabricInfoList;
import io.jfabric.info.MrMode;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where local memory must be registered, what is sent is the buffer, and not the start of the memory it is part of. */
@Timeout(60)
class RegionStartTest {
    private static final int SIZE = 100_000;
    private static final int BEFORE = 50_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM);
    }

    private static Node open(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            infos.first().domain().mrMode(infos.first().domain().mrMode().with(MrMode.LOCAL));
            return Node.open(infos.first());
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static void exchange(Node a, Node b, List<MemorySegment> buffers) throws Exception {
        Peer to = a.peer(b.address());
        List<MemorySegment> in = new ArrayList<>();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            in.add(b.allocate(BEFORE + buffers.get(i).byteSize()).asSlice(BEFORE));
            all.add(b.receive(in.get(i), i));
            all.add(a.send(buffers.get(i), to, i));
        }
        for (CompletableFuture<?> each : all) {
            get(each);
        }
        for (int i = 0; i < buffers.size(); i++) {
            assertThat(in.get(i).mismatch(buffers.get(i))).as("buffer %s", i).isEqualTo(-1);
        }
    }

    /** Under way at the same time, the longest first: those with one start may share a registration, others may not. */
    private static List<MemorySegment> parts(MemorySegment memory) {
        return List.of(memory, memory.asSlice(0, SIZE), memory.asSlice(BEFORE, SIZE), memory.asSlice(BEFORE, SIZE / 2),
                memory.asSlice(BEFORE + 8, SIZE));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void messages(Providers.Choice choice) throws Exception {
        try (Node a = open(choice); Node b = open(choice); Arena arena = Arena.ofShared()) {
            exchange(a, b, parts(Bytes.pattern(a.memory(), BEFORE + SIZE + 8, 1)));
            MemorySegment registered = Bytes.pattern(arena, BEFORE + SIZE + 8, 2);
            a.domain().register(registered, MemoryAccess.SEND, MemoryAccess.RECV);
            exchange(a, b, parts(registered));
            exchange(a, b, parts(Bytes.pattern(arena, BEFORE + SIZE + 8, 3)));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void calls(Providers.Choice choice) throws Exception {
        try (Node a = open(choice); Node b = open(choice);
             Service _ = Service.open(b, 5, call -> call.answer(call.request()));
             Caller caller = Caller.open(a.peer(b.address()), 5)) {
            MemorySegment request = Bytes.pattern(a.memory(), BEFORE + SIZE, 4).asSlice(BEFORE);
            MemorySegment answer = a.allocate(BEFORE + SIZE).asSlice(BEFORE);
            // the first announces its answer, the second is answered at once
            for (int i = 0; i < 2; i++) {
                assertThat(get(caller.call(request, answer.fill((byte) 0))).mismatch(request)).isEqualTo(-1);
            }
        }
    }
}
