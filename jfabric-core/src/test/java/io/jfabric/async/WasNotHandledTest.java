// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of which failures {@link Caller#wasNotHandled} is true: of all kinds that can be had. */
@Timeout(60)
class WasNotHandledTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final CallerOptions ONE = CallerOptions.DEFAULT.withWindow(1).withBacklog(1);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    private static void check(CompletableFuture<?> call, FabricError error, boolean expected) {
        Throwable why = catchThrowable(() -> call.get(20, TimeUnit.SECONDS));
        assertThat(why).cause().isInstanceOfSatisfying(FabricException.class,
                known -> assertThat(known.error()).isEqualTo(error));
        // as get, as join, as what is appended, and as Node.await would give it
        FabricException own = (FabricException) why.getCause();
        for (Throwable one : List.of(why, own, new CompletionException(own), new CompletionException(why),
                own.inThisThread())) {
            assertThat(Caller.wasNotHandled(one)).as("%s", why.getCause()).isEqualTo(expected);
        }
        for (Throwable one = own; one != null; one = one.getCause()) {
            assertThat(one.getClass()).as("what logs show").isPublic();
            assertThat(one.getClass().getName()).doesNotContain("internal");
        }
    }

    /** 1 is a call that waits, until the latch; 2 fails; others are answered with so many bytes. */
    private static CallHandler handler(CountDownLatch latch) {
        return call -> {
            int what = call.bytes()[0];
            if (what == 1) {
                latch.await(20, TimeUnit.SECONDS);
            } else if (what == 2) {
                throw new IllegalStateException("no");
            }
            call.answer(new byte[what]);
        };
    }

    private static CompletableFuture<byte[]> waiting(Caller caller, Service service) {
        CompletableFuture<byte[]> call = caller.call(new byte[] {1}, Duration.ofSeconds(30));
        Waits.until("the handler has it", () -> service.underWay() == 1);
        return call;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatWasRefused(Providers.Choice choice) {
        CountDownLatch latch = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 1, handler(latch),
                        ServiceOptions.DEFAULT.withLimit(1).withLargestRequest(10).withCallers(2));
                Caller caller = Caller.open(nodes.toB, 1, ONE);
                Caller other = Caller.open(nodes.toB, 1);
                Caller nobodys = Caller.open(nodes.toB, 2)) {
            check(nobodys.call(new byte[1]), FabricError.ECONNREFUSED, true);
            check(other.call(new byte[11]), FabricError.EMSGSIZE, true);
            check(caller.call(new byte[] {2}), FabricError.EREMOTEIO, false);
            try (Caller third = Caller.open(nodes.toB, 1)) {
                check(third.call(new byte[1]), FabricError.ECONNREFUSED, true);
            }
            CompletableFuture<byte[]> first = waiting(caller, service);
            check(other.call(new byte[1]), FabricError.EBUSY, true);
            CompletableFuture<byte[]> second = caller.call(new byte[1], SHORT);
            check(caller.call(new byte[1]), FabricError.EAGAIN, true);
            check(second, FabricError.ETIMEDOUT, true);
            latch.countDown();
            assertThat(first.join()).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatWasUnderWayAndWhatWaited(Providers.Choice choice) {
        CountDownLatch latch = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice)) {
            try (Caller early = Caller.open(nodes.toB, 1)) {
                check(early.call(new byte[1], SHORT), FabricError.ETIMEDOUT, true);
            }
            Service service = Service.open(nodes.b, 1, handler(latch));
            Caller caller = Caller.open(nodes.toB, 1, ONE);
            CompletableFuture<byte[]> first = waiting(caller, service);
            CompletableFuture<byte[]> second = caller.call(new byte[1]);
            caller.close();
            check(first, FabricError.ECANCELED, false);
            check(second, FabricError.ECANCELED, true);
            check(caller.call(new byte[1]), FabricError.ECANCELED, true);
            try (Caller next = Caller.open(nodes.toB, 1)) {
                check(next.call(new byte[] {1}, SHORT), FabricError.ETIMEDOUT, false);
                CompletableFuture<byte[]> cancelled = next.call(new byte[] {1});
                cancelled.cancel(false);
                assertThat(Caller.wasNotHandled(catchThrowable(cancelled::join))).isFalse();
                CompletableFuture<byte[]> lost = next.call(new byte[] {1});
                Waits.until("the handler has it", () -> service.underWay() == 4);
                service.close();
                check(lost, FabricError.ECONNRESET, false);
            } finally {
                latch.countDown();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatWasAnsweredInVain(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, 1, handler(new CountDownLatch(0)));
                Caller caller = Caller.open(nodes.toB, 1, CallerOptions.DEFAULT.withLargestAnswer(50))) {
            check(caller.call(new byte[] {51}), FabricError.EMSGSIZE, false);
            check(caller.call(nodes.a.allocate(1).fill((byte) 30), nodes.a.allocate(20)), FabricError.ETRUNC, false);
            // what follows on an answer may be refused, too
            OverloadException ofSend = new OverloadException("send of 8 bytes", FabricError.EAGAIN, "full");
            CompletableFuture<byte[]> after = caller.call(new byte[] {3}).thenCompose(
                    answer -> CompletableFuture.failedFuture(ofSend));
            check(after, FabricError.EAGAIN, false);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whoseNodeOrPeerIsClosed(Providers.Choice choice) {
        CountDownLatch latch = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 1, handler(latch));
                Caller caller = Caller.open(nodes.toB, 1, ONE)) {
            CompletableFuture<byte[]> first = waiting(caller, service);
            CompletableFuture<byte[]> second = caller.call(new byte[1]);
            nodes.toB.close();
            check(first, FabricError.ECANCELED, false);
            check(second, FabricError.ECANCELED, true);
            check(caller.call(new byte[1]), FabricError.ECANCELED, true);
            latch.countDown();
        }
    }

    @Test
    void failsWithoutAFailure() {
        assertThatThrownBy(() -> Caller.wasNotHandled(null)).isInstanceOf(NullPointerException.class)
                .hasMessageContaining("failure");
        assertThat(Caller.wasNotHandled(new CompletionException("nothing", null))).isFalse();
    }
}
