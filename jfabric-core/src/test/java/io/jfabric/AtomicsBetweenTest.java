// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomic operations to a peer whose own ones have taken all its buffers. */
@Timeout(60)
class AtomicsBetweenTest {
    private static final int SIZE = 4096;
    private static final int TRIES = 1000;
    private static final long FETCHES = 1_000_000;

    private static Pair open() {
        return Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.RMA,
                Capability.ATOMIC));
    }

    private static RemoteRegion region(Side side, MemorySegment memory) {
        return RemoteRegion.of(side.endpoint.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                .remote().toBytes());
    }

    private static void meet(Pair pair, Arena arena) {
        MemorySegment message = arena.allocate(8);
        pair.post(() -> pair.a.endpoint.messages().send(message, pair.a.peer, -1));
        pair.post(() -> pair.b.endpoint.messages().receive(message, Address.ANY, 1));
        pair.await(pair.b, 1);
        pair.await(pair.a, -1);
    }

    /** As many as the provider takes while nobody reads, at most so many. */
    private static void exchange(Pair pair, Arena arena, int most, int size) {
        List<MemorySegment> sent = new ArrayList<>();
        boolean more = true;
        while (more && sent.size() < most) {
            MemorySegment message = arena.allocate(size).fill((byte) (sent.size() + 1));
            more = pair.a.endpoint.messages().send(message, pair.a.peer, -1 - sent.size());
            if (more) {
                sent.add(message);
            }
        }
        for (int i = 0; i < sent.size(); i++) {
            MemorySegment received = arena.allocate(size);
            pair.post(() -> pair.b.endpoint.messages().receive(received, Address.ANY, 1));
            pair.await(pair.b, 1);
            assertThat(received.mismatch(sent.get(i))).as("message %d", i).isEqualTo(-1);
            pair.await(pair.a, -1 - i);
        }
    }

    private static void set(MemorySegment memory, long value) {
        for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
            memory.set(ValueLayout.JAVA_LONG, at, value);
        }
    }

    private static LongPredicate poster(String form, Pair pair, RemoteRegion target, MemorySegment operand) {
        Atomics atomics = pair.a.endpoint.atomics();
        long half = operand.byteSize() / 16 * 8;
        AtomicRequest request = atomics.request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM).peer(pair.a.peer)
                .target(target, 0, operand.byteSize());
        return switch (form) {
            case "positional" -> context -> atomics.apply(operand, pair.a.peer, target, 0, Datatype.INT64,
                    AtomicOp.SUM, context);
            case "vector" -> request.buffers(operand.asSlice(0, half), operand.asSlice(half))::post;
            default -> request.buffers(operand).flags(OperationFlag.COMPLETION)::post;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"positional", "vector", "message"})
    void whatFindsNoBufferCanBePostedLater(String form) {
        try (Pair pair = open(); Arena arena = Arena.ofShared()) {
            pair.connect();
            MemorySegment atB = arena.allocate(SIZE, 8);
            RemoteRegion ofA = region(pair.a, arena.allocate(8, 8));
            RemoteRegion ofB = region(pair.b, atB);
            // until a message has told each side where the other is, nothing else goes
            meet(pair, arena);
            AtomicRequest fetch = pair.b.endpoint.atomics().request(AtomicForm.FETCH, Datatype.INT64,
                    AtomicOp.SUM).peer(pair.b.peer).buffers(arena.allocate(8, 8)).results(arena.allocate(8, 8))
                    .target(ofA, 0, 8);
            int fetches = 0;
            while (fetch.post(FETCHES + fetches)) {
                fetches++;
            }
            int posted = 0;
            for (int bytes : new int[] {208, SIZE, 200}) {
                MemorySegment operand = arena.allocate(bytes, 8);
                set(operand, 1);
                LongPredicate poster = poster(form, pair, ofB, operand);
                for (int i = 0; i < TRIES; i++) {
                    if (poster.test(posted)) {
                        posted++;
                    }
                }
            }
            int all = fetches;
            pair.until("the fetches end", () -> pair.b.done().size() >= all);
            int before = posted;
            pair.until("the others end", () -> pair.a.done().size() >= before);
            pair.b.done().clear();
            pair.a.done().clear();
            set(atB, 0);
            for (int i = 0; i < 5; i++) {
                MemorySegment operand = arena.allocate(SIZE, 8);
                set(operand, 1);
                long context = i;
                LongPredicate poster = poster(form, pair, ofB, operand);
                pair.post(() -> poster.test(context));
                pair.await(pair.a, context);
                exchange(pair, arena, 700, 8192);
                long sum = i + 1;
                pair.until("it is applied", () -> atB.get(ValueLayout.JAVA_LONG, SIZE - 8) == sum);
            }
        }
    }

    /** It takes an entry that the peer gives back, not one of the peer's. */
    @ParameterizedTest
    @ValueSource(strings = {"positional", "vector", "message"})
    void aLongOneEndsOnceThePeerHasSeenIt(String form) {
        assumeTrue(Quirks.of("shm").has(Quirk.REFUSED_ATOMICS_SPOIL));
        try (Pair pair = open(); Arena arena = Arena.ofShared()) {
            pair.connect();
            RemoteRegion ofB = region(pair.b, arena.allocate(SIZE, 8));
            meet(pair, arena);
            for (int bytes : new int[] {200, 208, SIZE}) {
                MemorySegment operand = arena.allocate(bytes, 8);
                assertThat(poster(form, pair, ofB, operand).test(bytes)).isTrue();
                for (int i = 0; i < 1000; i++) {
                    pair.a.poll();
                }
                assertThat(pair.a.done()).as("%d bytes", bytes).hasSize(bytes <= 200 ? 1 : 0);
                pair.await(pair.a, bytes);
            }
        }
    }
}
