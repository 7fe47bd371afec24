// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Endpoints of shm in one process, of which one speaks first and the other answers at any length: with libfabric 2.5
 * and newer that crashed, so each is in a process of its own.
 */
@Timeout(90)
class AnswersInProcessTest {
    private static final long[] SIZES = {0, 1, 4095, 4096, 4097, 16_384, 100_000, 3_000_000};

    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
    }

    @ParameterizedTest
    @ValueSource(strings = {"answers", "sources", "itself", "vector", "memory", "unknown", "values"})
    void survives(String scenario) {
        ChildJvm.Result result = SharedJvm.run(Scenarios.class, scenario);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    /** What a process of its own does. */
    static final class Scenarios {
        private Scenarios() {
        }

        public static void main(String[] args) {
            try (Arena arena = Arena.ofShared()) {
                switch (args[0]) {
                    case "answers" -> answers(arena);
                    case "sources" -> sources(arena);
                    case "itself" -> itself(arena);
                    case "vector" -> vector(arena);
                    case "memory" -> memory(arena);
                    case "unknown" -> unknown(arena);
                    case "values" -> values();
                    default -> throw new IllegalArgumentException(args[0]);
                }
            }
            System.out.println("SURVIVED");
        }

        private static void send(Pair pair, Side from, long to, Side at, long source, MemorySegment out) {
            MemorySegment in = Arena.ofAuto().allocate(Math.max(1, out.byteSize()), 8).asSlice(0, out.byteSize());
            until(pair, from, at, () -> at.endpoint.messages().receive(in, source, 2));
            until(pair, from, at, () -> from.endpoint.messages().send(out, to, 1));
            until(pair, from, at, () -> at.take(done -> done.context() == 2 && (source == Address.ANY
                    || done.source() == source)) != null);
            until(pair, from, at, () -> from.take(done -> done.context() == 1) != null);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }

        private static void until(Pair pair, Side one, Side other, BooleanSupplier condition) {
            pair.untilWithoutProgress("the provider is busy", () -> {
                one.poll();
                other.poll();
                return condition.getAsBoolean();
            });
        }

        /** Each size both ways; the first from a, which b answers. */
        private static void answers(Arena arena) {
            try (Pair pair = Pair.open(Providers.SHM)) {
                for (long size : SIZES) {
                    send(pair, pair.a, pair.a.peer, pair.b, Address.ANY, Bytes.pattern(arena, size, 1));
                    send(pair, pair.b, pair.b.peer, pair.a, Address.ANY, Bytes.pattern(arena, size, 2));
                }
            }
        }

        /** Receives from one peer alone, and what the queue says of where a message is from. */
        private static void sources(Arena arena) {
            try (Pair pair = Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.SOURCE,
                    Capability.DIRECTED_RECV))) {
                for (int round = 0; round < 2; round++) {
                    send(pair, pair.a, pair.a.peer, pair.b, pair.b.peer, Bytes.pattern(arena, 100_000, 1));
                    send(pair, pair.b, pair.b.peer, pair.a, pair.a.peer, Bytes.pattern(arena, 100_000, 2));
                }
            }
        }

        private static void itself(Arena arena) {
            try (Pair pair = Pair.open(Providers.SHM)) {
                long self = pair.a.addresses.insert(pair.a.endpoint.address());
                for (long size : SIZES) {
                    send(pair, pair.a, self, pair.a, Address.ANY, Bytes.pattern(arena, size, 1));
                    send(pair, pair.b, pair.b.peer, pair.a, Address.ANY, Bytes.pattern(arena, size, 2));
                }
            }
        }

        /** Two endpoints with one address vector. */
        private static void vector(Arena arena) {
            try (Pair pair = Pair.open(Providers.SHM);
                 CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
                 Endpoint third = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                         .bind(pair.a.addresses).enable()) {
                long toThird = pair.a.addresses.insert(third.address());
                long toFirst = pair.a.addresses.insert(pair.a.endpoint.address());
                Side other = new Side(third, queue, pair.a.addresses);
                for (long size : SIZES) {
                    send(pair, pair.a, toThird, other, Address.ANY, Bytes.pattern(arena, size, 1));
                    send(pair, other, toFirst, pair.a, Address.ANY, Bytes.pattern(arena, size, 2));
                    send(pair, other, pair.a.peer, pair.b, Address.ANY, Bytes.pattern(arena, size, 3));
                }
            }
        }

        /** Writes and reads of one side, then of the other. */
        private static void memory(Arena arena) {
            try (Pair pair = Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
                for (Side[] sides : new Side[][] {{pair.a, pair.b}, {pair.b, pair.a}}) {
                    MemorySegment there = arena.allocate(3_000_000, 8);
                    RemoteRegion region = sides[1].endpoint.register(there, MemoryAccess.REMOTE_READ,
                            MemoryAccess.REMOTE_WRITE).remote();
                    for (long size : SIZES) {
                        MemorySegment out = Bytes.pattern(arena, size, 5);
                        pair.post(() -> sides[0].endpoint.rma().write(out, sides[0].peer, region, 0, 1));
                        pair.await(sides[0], 1);
                        MemorySegment in = arena.allocate(Math.max(1, size), 8).asSlice(0, size);
                        pair.post(() -> sides[0].endpoint.rma().read(in, sides[0].peer, region, 0, 2));
                        pair.await(sides[0], 2);
                        assertThat(in.mismatch(out)).isEqualTo(-1);
                    }
                }
            }
        }

        /** Who answers learns the address only when it has a message. */
        private static void unknown(Arena arena) {
            try (Pair pair = Pair.open(Providers.SHM)) {
                Side other = Side.open(pair.domain, pair.info);
                long toThird = pair.a.addresses.insert(other.endpoint.address());
                send(pair, pair.a, toThird, other, Address.ANY, Bytes.pattern(arena, 100_000, 1));
                long toFirst = other.addresses.insert(pair.a.endpoint.address());
                send(pair, other, toFirst, pair.a, Address.ANY, Bytes.pattern(arena, 100_000, 2));
                send(pair, pair.a, toThird, other, Address.ANY, Bytes.pattern(arena, 100_000, 3));
            }
        }

        /** A peer has one value, however often it is inserted, and its name is what it was. */
        private static void values() {
            try (Pair pair = Pair.open(Providers.SHM)) {
                assertThat(pair.a.addresses.insert(pair.b.endpoint.address())).isEqualTo(pair.a.peer);
                String name = pair.b.endpoint.address().toText();
                assertThat(name).endsWith(pair.a.addresses.lookup(pair.a.peer).toText().replaceFirst(".*://", ""));
                pair.a.addresses.remove(pair.a.peer);
                pair.a.addresses.remove(pair.a.peer);
                assertThat(pair.a.addresses.insert(pair.b.endpoint.address())).isEqualTo(pair.a.peer);
            }
        }
    }
}
