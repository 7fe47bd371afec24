// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.clock.Clock;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the options of callers and services promise. */
class CallOptionsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static FabricError failure(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .cause().isInstanceOf(FabricException.class).hasMessageContaining("withLargestAnswer");
        return ((FabricException) call.exceptionNow()).error();
    }

    /** Of those that come in one message, into room that was made before, and after they were announced. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void noLongerAnswerIsAccepted(Providers.Choice choice) throws Exception {
        for (int largest : new int[] {100, 20_000, 100_000}) {
            try (Nodes nodes = Nodes.open(choice);
                    Service _ = Service.open(nodes.b, 5,
                            call -> call.answer(new byte[call.request().get(ValueLayout.JAVA_INT, 0)]));
                    Caller caller = Caller.open(nodes.toB, 5,
                            CallerOptions.DEFAULT.withLargestAnswer(largest))) {
                assertThat(caller.call(length(nodes, largest), nodes.a.allocate(largest), DEADLINE)
                        .get(30, TimeUnit.SECONDS).byteSize()).isEqualTo(largest);
                MemorySegment room = nodes.a.allocate(2L * largest);
                // in a row: after a long answer room is made for the next before it is announced
                for (int i = 0; i < 3; i++) {
                    CompletableFuture<MemorySegment> tooLong = caller.call(length(nodes, largest + 1), room, DEADLINE);
                    assertThat(failure(tooLong)).isEqualTo(FabricError.EMSGSIZE);
                    assertThat(tooLong.exceptionNow()).hasMessageContaining("withLargestAnswer");
                    assertThat(failure(caller.call(length(nodes, largest + 1).toArray(ValueLayout.JAVA_BYTE))))
                            .isEqualTo(FabricError.EMSGSIZE);
                    assertThat(caller.call(length(nodes, largest), room, DEADLINE).get(30, TimeUnit.SECONDS)
                            .byteSize()).isEqualTo(largest);
                }
                assertThat(caller.underWay()).isZero();
            }
        }
    }

    private static MemorySegment length(Nodes nodes, int length) {
        MemorySegment request = nodes.a.allocate(4);
        request.set(ValueLayout.JAVA_INT, 0, length);
        return request;
    }

    @Test
    void rangesAreChecked() {
        CallerOptions caller = CallerOptions.DEFAULT;
        for (Runnable bad : new Runnable[] {() -> caller.withWindow(0), () -> caller.withWindow(65_537)}) {
            assertThatIllegalArgumentException().isThrownBy(bad::run).withMessageContaining("window");
        }
        assertThat(caller.withWindow(65_536).withWindow(1).window()).isOne();
        assertThatIllegalArgumentException().isThrownBy(() -> caller.withBacklog(-1)).withMessageContaining("backlog");
        assertThat(caller.withBacklog(0).backlog()).isZero();
        for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofNanos(-1)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> caller.withDeadline(bad))
                    .withMessageContaining("deadline");
        }
        assertThatThrownBy(() -> caller.withDeadline(null)).isInstanceOf(NullPointerException.class)
                .hasMessageContaining("deadline");
        assertThatIllegalArgumentException().isThrownBy(() -> caller.withLargestAnswer(-1))
                .withMessageContaining("largestAnswer");
        ServiceOptions service = ServiceOptions.DEFAULT;
        for (int bad : new int[] {0, 32_769}) {
            assertThatIllegalArgumentException().isThrownBy(() -> service.withLimit(bad))
                    .withMessageContaining("limit");
        }
        assertThat(service.withLimit(32_768).withLimit(1).limit()).isOne();
        for (int bad : new int[] {0, 65_537}) {
            assertThatIllegalArgumentException().isThrownBy(() -> service.withCallers(bad))
                    .withMessageContaining("callers");
        }
        assertThat(service.withCallers(65_536).withCallers(1).callers()).isOne();
        assertThatIllegalArgumentException().isThrownBy(() -> service.withLargestRequest(-1))
                .withMessageContaining("largestRequest");
        assertThatIllegalArgumentException().isThrownBy(() -> service.withLargeBytes(-1))
                .withMessageContaining("largeBytes");
        assertThatThrownBy(() -> service.withExecutor(null)).isInstanceOf(NullPointerException.class)
                .hasMessageContaining("executor");
    }

    /** Programs compute with what is left. */
    @Test
    void withoutADeadlineTheTimeLeftIsStillANumberOfNanoseconds() throws Exception {
        CompletableFuture<Duration> left = new CompletableFuture<>();
        try (Nodes nodes = Nodes.open(Providers.SHM);
                Service _ = Service.open(nodes.b, 5, call -> {
                    left.complete(call.timeLeft());
                    call.answer(call.bytes());
                });
                Caller caller = Caller.open(nodes.toB, 5,
                        CallerOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE))) {
            assertThat(caller.call(new byte[] {7}).get(30, TimeUnit.SECONDS)).containsExactly(7);
        }
        assertThat(left.get(30, TimeUnit.SECONDS)).isEqualTo(NodeOptions.NO_DEADLINE);
        assertThat(NodeOptions.NO_DEADLINE.toNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(NodeOptions.NO_DEADLINE.plusMillis(500)).isPositive();
        // as long as any longer one
        assertThat(Clock.after(NodeOptions.NO_DEADLINE)).isEqualTo(Clock.NEVER);
    }

    /** Nobody hears an answer after the service was closed. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aCallKnowsItsPeerAndMayBeAnsweredTooLate(Providers.Choice choice) throws Exception {
        CompletableFuture<Call> kept = new CompletableFuture<>();
        try (Nodes nodes = Nodes.open(choice); Caller caller = Caller.open(nodes.toB, 5)) {
            CompletableFuture<byte[]> lost;
            Call call;
            try (Service _ = Service.open(nodes.b, 5, kept::complete)) {
                lost = caller.call(new byte[] {1, 2, 3});
                call = kept.get(30, TimeUnit.SECONDS);
                assertThat(call.peer()).isSameAs(nodes.toA);
                assertThat(call.bytes()).containsExactly(1, 2, 3);
            }
            assertThatThrownBy(() -> lost.get(30, TimeUnit.SECONDS)).cause().isInstanceOfSatisfying(
                    FabricException.class, why -> assertThat(why.error()).isEqualTo(FabricError.ECONNRESET));
            call.answer(new byte[] {4});
            assertThatThrownBy(() -> call.answer(new byte[] {5})).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("answered");
            // what the caller hears next is of the next service
            try (Service next = Service.open(nodes.b, 5, CallHandler.of(request -> request))) {
                assertThat(caller.call(new byte[] {6}).get(30, TimeUnit.SECONDS)).containsExactly(6);
                assertThat(next.answered()).isOne();
            }
        }
    }
}
