// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls whose requests follow them at once, and whose answers are received before they are asked for. */
@Timeout(120)
class LongCallTest {
    private static final int LONG = 100_000;
    private static final int ROOM = 4 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    /** A service that answers with as many bytes as the first int of the request says; -1: fails; -2: waits. */
    private static CallHandler handler(CountDownLatch go) {
        return call -> {
            int length = call.request().get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            byte seed = call.request().get(ValueLayout.JAVA_BYTE, call.request().byteSize() - 1);
            if (length == -1) {
                throw new IllegalStateException("as asked");
            }
            if (length == -2) {
                go.await();
                length = LONG;
            }
            byte[] answer = new byte[length];
            new Random(seed).nextBytes(answer);
            call.answer(answer);
        };
    }

    private static MemorySegment request(Nodes nodes, int size, int answer, int seed) {
        MemorySegment request = nodes.a.allocate(size);
        request.set(ValueLayout.JAVA_INT_UNALIGNED, 0, answer);
        request.set(ValueLayout.JAVA_BYTE, size - 1, (byte) seed);
        return request;
    }

    private static void check(MemorySegment answer, int length, int seed) {
        byte[] expected = new byte[length];
        new Random((byte) seed).nextBytes(expected);
        assertThat(answer.byteSize()).isEqualTo(length);
        assertThat(answer.mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
    }

    private static FabricError error(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(40, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
        return ((FabricException) call.exceptionNow()).error();
    }

    /** Long, short, empty and failed answers in any order, and one that is longer than the room for it. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void answersOfAnyLengthInAnyOrder(Providers.Choice choice) throws Exception {
        int[] lengths = {LONG, LONG, 0, LONG, 8, LONG, LONG, 4032, 4033, ROOM, ROOM, -1, LONG, 1, ROOM + 1, LONG, LONG,
            ROOM + 1, LONG, 16_328, LONG, 16_329, 16_400, LONG, LONG, 16_401, LONG};
        int[] sizes = {8, 4032, 4033, 16_312, 16_313, 16_384, 16_385, 16_400, 16_401, LONG, ROOM, ROOM + 1};
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 5, handler(new CountDownLatch(0)));
                Caller caller = Caller.open(nodes.toB, 5)) {
            MemorySegment room = nodes.a.allocate(ROOM);
            for (int size : sizes) {
                for (int i = 0; i < lengths.length; i++) {
                    int length = lengths[i];
                    MemorySegment request = request(nodes, size, length, i);
                    CompletableFuture<MemorySegment> call = caller.call(request, room, DEADLINE);
                    if (length == -1) {
                        assertThatThrownBy(() -> call.get(40, TimeUnit.SECONDS)).hasMessageContaining("as asked");
                    } else if (length > ROOM) {
                        assertThat(error(call)).isEqualTo(FabricError.ETRUNC);
                    } else {
                        check(call.get(40, TimeUnit.SECONDS), length, i);
                    }
                }
            }
            assertThat(caller.underWay() + caller.waiting()).isZero();
            assertIdle(service);
        }
    }

    /** The service's node makes no progress any more when the answer is under way. */
    @Test
    void anAnswerThatDoesNotEndIsLate() throws Exception {
        try (Hints hints = Providers.RXM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints); Node b = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Service service = Service.open(b, 5, call -> call.answer(new byte[64 << 20]));
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            CompletableFuture<byte[]> call = caller.call(new byte[8], Duration.ofSeconds(2));
            Waits.until("the answer is under way", () -> b.progress() >= 0 && service.answered() == 1);
            assertThat(call).isNotDone();
            assertThat(error(call)).isEqualTo(FabricError.ETIMEDOUT);
            assertThat(call.exceptionNow()).hasMessageContaining("no complete answer in time");
        }
    }

    private static void assertIdle(Service service) {
        Waits.until("the service is idle", () -> service.underWay() == 0);
    }

    /** Many at once, each with memory of its own: none gets another's bytes. */
    @ParameterizedTest
    @MethodSource("providers")
    void manyAtOnce(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 5, handler(new CountDownLatch(0)));
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(16))) {
            for (int round = 0; round < 5; round++) {
                List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    MemorySegment request = request(nodes, 20_000 + i, LONG + i, i);
                    calls.add(caller.call(request, nodes.a.allocate(LONG + i), DEADLINE));
                }
                for (int i = 0; i < 60; i++) {
                    check(calls.get(i).get(40, TimeUnit.SECONDS), LONG + i, i);
                }
            }
            assertIdle(service);
        }
    }

    /** The memory of a request, and of the copy of an answer, is there for the next call, however many there are. */
    @ParameterizedTest
    @MethodSource("providers")
    void oneAfterTheOther(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 5, handler(new CountDownLatch(0)),
                        ServiceOptions.DEFAULT.withLargestRequest(LONG).withLargeBytes(8 * LONG));
                Caller caller = Caller.open(nodes.toB, 5)) {
            MemorySegment room = nodes.a.allocate(LONG);
            for (int i = 0; i < 20; i++) {
                check(caller.call(request(nodes, LONG, LONG, i), room, DEADLINE).get(40, TimeUnit.SECONDS), LONG, i);
                assertIdle(service);
            }
        }
    }

    /** What the service has no room for is refused, and neither the bytes of it nor room for its answer stay behind. */
    @ParameterizedTest
    @MethodSource("providers")
    void refusedOnes(Providers.Choice choice) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 5, handler(go), ServiceOptions.DEFAULT.withLimit(1));
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(8));
                Caller other = Caller.open(nodes.toB, 5)) {
            MemorySegment room = nodes.a.allocate(LONG);
            check(caller.call(request(nodes, LONG, LONG, 1), room, DEADLINE).get(40, TimeUnit.SECONDS), LONG, 1);
            check(other.call(request(nodes, LONG, LONG, 1), room, DEADLINE).get(40, TimeUnit.SECONDS), LONG, 1);
            assertIdle(service);
            CompletableFuture<MemorySegment> slow = caller.call(request(nodes, LONG, -2, 2), nodes.a.allocate(LONG),
                    DEADLINE);
            Waits.until("the service has it", () -> service.underWay() > 0);
            for (int i = 0; i < 20; i++) {
                assertThat(error(other.call(request(nodes, LONG, LONG, 3), room, DEADLINE)))
                        .isEqualTo(FabricError.EBUSY);
            }
            go.countDown();
            check(slow.get(40, TimeUnit.SECONDS), LONG, 2);
            assertIdle(service);
            check(other.call(request(nodes, LONG, LONG, 4), room, DEADLINE).get(40, TimeUnit.SECONDS), LONG, 4);
        }
    }

    /** After a call has ended for whatever reason, nothing comes into its memory any more. */
    @ParameterizedTest
    @MethodSource("providers")
    void endedOnesLeaveTheMemoryAlone(Providers.Choice choice) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 5, handler(go));
                Caller caller = Caller.open(nodes.toB, 5)) {
            MemorySegment room = nodes.a.allocate(LONG);
            check(caller.call(request(nodes, 8, LONG, 1), room, DEADLINE).get(40, TimeUnit.SECONDS), LONG, 1);
            MemorySegment cancelled = nodes.a.allocate(LONG);
            MemorySegment late = nodes.a.allocate(LONG);
            MemorySegment givenUp = nodes.a.allocate(LONG);
            CompletableFuture<MemorySegment> first = caller.call(request(nodes, 8, -2, 2), cancelled, DEADLINE);
            CompletableFuture<MemorySegment> second = caller.call(request(nodes, LONG, -2, 3), late,
                    Duration.ofMillis(400));
            CompletableFuture<MemorySegment> third = caller.call(request(nodes, LONG, -2, 4), givenUp, DEADLINE)
                    .orTimeout(400, TimeUnit.MILLISECONDS);
            Waits.until("the service has three", () -> service.underWay() == 3);
            // not at once if the thread that polls is kept: then it is false, and cancelled a moment later
            first.cancel(true);
            assertThatThrownBy(() -> first.get(40, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
            assertThat(error(second)).isEqualTo(FabricError.ETIMEDOUT);
            assertThatThrownBy(() -> third.get(40, TimeUnit.SECONDS)).isNotNull();
            go.countDown();
            assertIdle(service);
            for (int i = 0; i < 20; i++) {
                check(caller.call(request(nodes, 8, LONG, i), room, DEADLINE).get(40, TimeUnit.SECONDS), LONG, i);
            }
            for (MemorySegment untouched : List.of(cancelled, late, givenUp)) {
                assertThat(untouched.mismatch(MemorySegment.ofArray(new byte[LONG]))).isEqualTo(-1);
            }
            assertThat(caller.underWay()).isZero();
        }
    }
}
