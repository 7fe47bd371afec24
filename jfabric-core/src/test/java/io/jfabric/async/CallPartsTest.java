// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.MrMode;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests in several parts: the service gets one, with the bytes of all of them in their order. */
@Timeout(60)
class CallPartsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int EAGER = 4 << 20;
    private static final int PIECE = 16 << 10;
    private static final int GAP = 24;
    /** One below, at and one above what shares a message, fits into a slot, a message, or goes before it is awaited. */
    private static final long[] LIMITS = {1, 1024, 4016, 4024, 4032, 4040, 16_312, 16_328, 16_384, 16_400, 64 << 10,
        128 << 10, 300_000};

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM, Providers.SHM, Providers.SOCKETS);
    }

    /** Two nodes, and a service of the second that answers with the request. */
    private static final class Echo implements AutoCloseable {
        private final Node a;
        private final Node b;
        private final Service service;
        private final Caller caller;
        private final int limit;
        private final MemorySegment from;
        private final MemorySegment answer;

        Echo(Providers.Choice choice, long largest, Consumer<FabricInfo> edit) {
            try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED))) {
                edit.accept(infos.first());
                a = Node.open(infos.first());
                b = Node.open(infos.first());
            }
            service = Service.open(b, 5, call -> call.answer(call.request()));
            caller = Caller.open(a.peer(b.address()), 5);
            limit = (int) a.info().tx().iovLimit();
            from = Bytes.pattern(a.memory(), largest + 128 * GAP, 1);
            answer = a.allocate(largest + GAP);
        }

        /** That many parts of that many bytes in all, the last of them first in memory, and not next to each other. */
        List<MemorySegment> parts(long size, int count) {
            List<MemorySegment> parts = new ArrayList<>();
            long end = from.byteSize();
            long done = 0;
            for (int i = 1; i <= count; i++) {
                // the first of two is a header
                long until = i == count ? size : count == 2 ? Math.min(size, 7)
                        : Math.max(done, size * i / count - i % 3);
                end -= until - done;
                parts.add(from.asSlice(end, until - done));
                end -= GAP;
                done = until;
            }
            return parts;
        }

        void echoes(List<MemorySegment> parts) throws Exception {
            MemorySegment expected = joined(parts);
            answer.fill((byte) 0x5a);
            MemorySegment got = get(caller.call(parts, answer, DEADLINE));
            assertThat(got.byteSize()).isEqualTo(expected.byteSize());
            assertThat(got.mismatch(expected)).as("%s", parts).isEqualTo(-1);
            assertThat(answer.asSlice(got.byteSize(), GAP).mismatch(MemorySegment.ofArray(new byte[GAP])
                    .fill((byte) 0x5a))).as("nothing is written behind the answer").isEqualTo(-1);
        }

        void echoes(long size, int... counts) throws Exception {
            for (int count : counts) {
                echoes(parts(size, count));
            }
        }

        @Override
        public void close() {
            assertThat(caller.underWay() + caller.waiting()).isZero();
            caller.close();
            service.close();
            a.close();
            b.close();
        }
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(40, TimeUnit.SECONDS);
    }

    static MemorySegment joined(List<MemorySegment> parts) {
        MemorySegment all = MemorySegment.ofArray(new byte[(int) parts.stream().mapToLong(MemorySegment::byteSize)
                .sum()]);
        long at = 0;
        for (MemorySegment part : parts) {
            all.asSlice(at, part.byteSize()).copyFrom(part);
            at += part.byteSize();
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofAnyLengthAndNumber(Providers.Choice choice) throws Exception {
        try (Echo echo = new Echo(choice, EAGER + 1, info -> { })) {
            long[] limits = LongStream.concat(LongStream.of(LIMITS), LongStream.of(echo.a.info().tx().injectSize()))
                    .filter(limit -> limit < EAGER).toArray();
            for (long limit : limits) {
                for (long size : new long[] {limit - 1, limit, limit + 1}) {
                    if (size >= 0) {
                        echo.echoes(size, 1, 2, echo.limit, echo.limit + 1, 100);
                    }
                }
            }
            for (long size : new long[] {EAGER - 1, EAGER, EAGER + 1}) {
                echo.echoes(size, 2, echo.limit, echo.limit + 1);
            }
            echo.echoes(List.of());
            echo.echoes(List.of(MemorySegment.NULL, echo.a.allocate(0), MemorySegment.ofArray(new byte[0])));
            // empty ones are not counted
            List<MemorySegment> long2 = new ArrayList<>(echo.parts(100_000, 2));
            for (int i = 0; i < echo.limit; i++) {
                long2.add(i, MemorySegment.NULL);
            }
            echo.echoes(long2);
        }
    }

    /** Some fit into a message together. */
    @ParameterizedTest
    @MethodSource("providers")
    void manyAtOnce(Providers.Choice choice) throws Exception {
        try (Echo echo = new Echo(choice, 1 << 20, info -> { })) {
            List<List<MemorySegment>> requests = new ArrayList<>();
            List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                List<MemorySegment> parts = echo.parts(i % 50 == 49 ? 40_000 + i : 20 + i, 1 + i % 6);
                requests.add(parts);
                calls.add(echo.caller.call(parts, echo.a.allocate(41_000)));
            }
            for (int i = 0; i < calls.size(); i++) {
                assertThat(get(calls.get(i)).mismatch(joined(requests.get(i)))).as("call %s", i).isEqualTo(-1);
            }
        }
    }

    /** Parts end one below, at and one above the end of a message; some messages have several parts, and some one. */
    @ParameterizedTest
    @MethodSource("providers")
    void inSeveralMessages(Providers.Choice choice) throws Exception {
        try (Echo echo = new Echo(choice, 6 * PIECE, info -> info.endpoint().maxMessageSize(PIECE))) {
            for (int end : new int[] {-1, 0, 1}) {
                for (int pieces : new int[] {1, 2, 5}) {
                    echo.echoes((long) pieces * PIECE + end, 1, 2, 3, echo.limit, echo.limit + 1, 100);
                }
                MemorySegment from = echo.from;
                echo.echoes(List.of(from.asSlice(GAP, PIECE + end), from.asSlice(2 * PIECE, 2 * PIECE)));
                echo.echoes(List.of(from.asSlice(GAP, 3 * PIECE + end), from.asSlice(4 * PIECE, PIECE + 9)));
                echo.echoes(List.of(from.asSlice(5 * PIECE, 9), from.asSlice(GAP, 3 * PIECE + end)));
            }
        }
    }

    /** It may be the memory of the answer. */
    @ParameterizedTest
    @MethodSource("providers")
    void answeredWhereTheyAre(Providers.Choice choice) throws Exception {
        try (Echo echo = new Echo(choice, 200_000, info -> { })) {
            for (int size : new int[] {100, 10_000, 100_000}) {
                List<MemorySegment> parts = List.of(echo.answer.asSlice(size, size), echo.answer.asSlice(0, size));
                Bytes.fill(echo.answer, size);
                MemorySegment expected = joined(parts);
                assertThat(get(echo.caller.call(parts, echo.answer)).mismatch(expected)).isEqualTo(-1);
            }
        }
    }

    static Stream<Providers.Choice> registering() {
        return Providers.offered(Providers.TCP_RDM, Providers.SHM, Providers.SOCKETS);
    }

    /** No software provider wants it, so their infos are edited to say so, as in GatheringDemandsTest. */
    @ParameterizedTest
    @MethodSource("registering")
    void whereMemoryIsRegistered(Providers.Choice choice) throws Exception {
        try (Echo echo = new Echo(choice, 100_000, info -> info.domain().mrMode(info.domain().mrMode()
                .with(MrMode.LOCAL)))) {
            for (long size : new long[] {100, 4032, 16_384, 100_000}) {
                echo.echoes(size, 1, 2, echo.limit, echo.limit + 1);
            }
        }
    }
}
