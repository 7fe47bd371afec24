// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that end while their long answer is on its way: nothing comes into their memory, nothing stays anywhere. */
@Timeout(120)
class GivenUpCallTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int MIB = 1 << 20;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS, Providers.TCP_RDM);
    }

    private static boolean hasFailed(CompletableFuture<?> call) throws Exception {
        return call.handle((answer, failure) -> failure != null).get(40, TimeUnit.SECONDS);
    }

    private enum Way { CANCEL, TIMEOUT, CLOSE_CALLER }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void memoryIsTheProgramsOnceTheFutureIsDone(Providers.Choice choice) throws Exception {
        for (Way way : Way.values()) {
            int givenUp = 0;
            for (int run = 0; run < 6; run++) {
                givenUp += end(choice, way, 3L * run) ? 1 : 0;
            }
            assertThat(givenUp).as("calls that were not over before: %s", way).isPositive();
        }
    }

    /** Whether the call was given up before its answer was there. */
    private static boolean end(Providers.Choice choice, Way way, long after) throws Exception {
        int size = 32 * MIB;
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment big = nodes.b.allocate(size).fill((byte) 7);
            MemorySegment room = nodes.a.allocate(size);
            try (Service _ = Service.open(nodes.b, 5, call -> call.answer(big))) {
                Caller caller = Caller.open(nodes.toB, 5);
                CompletableFuture<MemorySegment> call = caller.call(nodes.a.allocate(1), room, DEADLINE);
                Waits.until("the call is under way", () -> caller.underWay() > 0 || call.isDone());
                Thread.sleep(after);
                switch (way) {
                    case CANCEL -> call.cancel(true);
                    case TIMEOUT -> call.completeExceptionally(new TimeoutException());
                    default -> caller.close();
                }
                boolean failed = hasFailed(call);
                if (failed) {
                    room.fill((byte) 1);
                    Thread.sleep(150);
                    for (long i = 0; i < size; i += 512) {
                        assertThat(room.get(ValueLayout.JAVA_BYTE, i)).as("%s, byte %s", way, i).isEqualTo((byte) 1);
                    }
                }
                return failed;
            }
        }
    }

    /** Their memory, and their place, would be the provider's for ever. */
    @ParameterizedTest
    @MethodSource("providers")
    void requestsThatAreLateAreReceivedNevertheless(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
             Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]));
             Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(2))) {
            MemorySegment request = nodes.a.allocate(MIB);
            MemorySegment answer = nodes.a.allocate(1);
            for (int i = 0; i < 20; i++) {
                // there is a place for it, so it goes at once
                assertThat(caller.call(new byte[1]).get(40, TimeUnit.SECONDS)).hasSize(1);
                CompletableFuture<MemorySegment> late = caller.call(request, answer, Duration.ofNanos(1));
                if (hasFailed(late)) {
                    nodes.a.released(late).get(20, TimeUnit.SECONDS);
                }
            }
            assertThat(service.late()).isPositive();
        }
    }

    /** What nobody receives would stay with the provider of the service, and in the way of what else it sends. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void answersThatAreLateAreNotLeftWithTheService(Providers.Choice choice) throws Exception {
        int size = 8 * MIB;
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment big = nodes.b.allocate(size);
            MemorySegment room = nodes.a.allocate(size);
            MemorySegment request = nodes.a.allocate(1);
            try (Service service = Service.open(nodes.b, 5, call -> {
                if (call.request().byteSize() == 1) {
                    call.answer(big);
                } else {
                    call.answer(new byte[1]);
                }
            }); Caller caller = Caller.open(nodes.toB, 5)) {
                caller.call(new byte[2]).get(40, TimeUnit.SECONDS);
                Random random = new Random(1);
                for (int i = 0; i < 150; i++) {
                    try {
                        caller.call(request, room, Duration.ofNanos(300_000 + random.nextInt(9_000_000)))
                                .get(40, TimeUnit.SECONDS);
                    } catch (ExecutionException late) {
                        assertThat(late).hasMessageContaining("ETIMEDOUT");
                    }
                }
                Waits.until("nothing is under way", () -> service.underWay() == 0 && nodes.toA.underWay() == 0);
                assertThat(nodes.toA.waiting()).isZero();
            }
        }
    }
}
