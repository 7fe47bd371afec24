// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jfabric.EventException;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Node.await throws is of the thread that waited, and says what was given up. */
@Timeout(60)
class AwaitTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(20);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Asks, and says goodbye however that went. */
    private record Session(Node node, Caller caller) implements AutoCloseable {
        byte[] ask() {
            return node.await(caller.call(new byte[1]), LONG);
        }

        @Override
        public void close() {
            node.await(caller.call(new byte[2]), LONG);
        }
    }

    private static void askOnce(Node node, Caller caller) {
        try (Session session = new Session(node, caller)) {
            session.ask();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void manyFailWithOneException(Providers.Choice choice) {
        CallerOptions none = CallerOptions.DEFAULT.withWindow(1).withBacklog(0);
        try (Nodes nodes = Nodes.open(choice); Caller full = Caller.open(nodes.toB, 5, none)) {
            OverloadException refused = catchThrowableOfType(OverloadException.class, () -> askOnce(nodes.a, full));
            assertThat(refused.error()).isEqualTo(FabricError.EAGAIN);
            assertThat(refused.getSuppressed()).singleElement().isInstanceOf(OverloadException.class);
            assertIsHere(refused, full.call(new byte[1]).exceptionNow());

            Caller closed = Caller.open(nodes.toB, 5);
            closed.close();
            FabricException over = catchThrowableOfType(FabricException.class, () -> askOnce(nodes.a, closed));
            assertThat(over.error()).isEqualTo(FabricError.ECANCELED);
            assertThat(over.getSuppressed()).singleElement().isInstanceOf(FabricException.class);
            assertIsHere(over, closed.call(new byte[1]).exceptionNow());
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatTheHandlerThrewIsTold(Providers.Choice choice) {
        CallHandler handler = call -> {
            throw new IllegalStateException("no such book");
        };
        try (Nodes nodes = Nodes.open(choice); Service _ = Service.open(nodes.b, 5, handler);
                Caller caller = Caller.open(nodes.toB, 5)) {
            CompletableFuture<byte[]> call = caller.call(new byte[1]);
            CallException failed = catchThrowableOfType(CallException.class, () -> nodes.a.await(call, LONG));
            assertThat(failed.remoteText()).contains("no such book");
            assertIsHere(failed, call.exceptionNow());
        }
    }

    @Test
    void whatAnEventSaysIsTold() {
        EventException event = new EventException(null, 7, 8, (int) FabricError.ECONNREFUSED.code(), 111, "refused",
                new byte[] {9});
        EventException here = event.inThisThread();
        assertIsHere(here, event);
        assertThat(here.context()).isEqualTo(7);
        assertThat(here.data()).isEqualTo(8);
        assertThat(here.providerErrno()).isEqualTo(111);
        assertThat(here.errorData()).containsExactly(9);
        assertThat(here.source()).isEmpty();
    }

    /** The same in all that it says, but thrown here. */
    private static void assertIsHere(FabricException here, Throwable there) {
        assertThat(here).isExactlyInstanceOf(there.getClass()).hasMessage(there.getMessage()).hasCause(there);
        assertThat(here).isNotSameAs(there);
        assertThat(here.operation()).isEqualTo(((FabricException) there).operation());
        assertThat(here.errno()).isEqualTo(((FabricException) there).errno());
        assertThat(Arrays.stream(here.getStackTrace())).anyMatch(
                frame -> frame.getClassName().startsWith(AwaitTest.class.getName()));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatGoesOnIsTold(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment memory = nodes.a.allocate(8);
            CompletableFuture<Received> given = nodes.a.receive(memory, 1);
            assertThatExceptionOfType(FabricException.class).isThrownBy(() -> nodes.a.await(given, SHORT))
                    .withMessageContaining("not done within 0.05 s").withMessageNotContaining("derived");
            assertThat(given).isCancelled();

            CompletableFuture<Received> received = nodes.a.receive(memory, 2);
            CompletableFuture<Long> derived = received.thenApply(Received::length);
            assertThatThrownBy(() -> nodes.a.await(derived, SHORT)).hasMessageContaining("not done within 0.05 s")
                    .hasMessageContaining("was derived from another, the operation of that goes on");
            assertThatThrownBy(() -> nodes.a.await(CompletableFuture.allOf(received), SHORT))
                    .hasMessageContaining("the operation of that goes on");
            assertThat(derived).isCancelled();
            assertThat(received).isNotDone();
            nodes.b.send(nodes.b.allocate(8), nodes.toA, 2);
            assertThat(nodes.a.await(received, LONG).length()).isEqualTo(8);
        }
    }

    /** A service that does not answer, and a member that does not come. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatWasWaitedForIsTold(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice); Caller caller = Caller.open(nodes.toB, 5);
                Group group = Group.ofAddresses(nodes.a, "alone",
                        List.of(nodes.a.address().bytes(), nodes.b.address().bytes()))) {
            CompletableFuture<byte[]> call = caller.call(new byte[1], LONG);
            assertThatExceptionOfType(FabricException.class).isThrownBy(() -> nodes.a.await(call, SHORT))
                    .withMessageContaining("call of service 5 at " + nodes.toB.address() + ": not done within 0.05 s");
            assertThatExceptionOfType(FabricException.class).isThrownBy(() -> nodes.a.await(group.barrier(), SHORT))
                    .withMessageContaining("barrier: not done within 0.05 s");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatWasGivenUpIsThrownHere(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice)) {
            CompletableFuture<Received> given = nodes.a.receive(nodes.a.allocate(8), 1);
            given.cancel(false);
            CancellationException first = catchThrowableOfType(CancellationException.class,
                    () -> nodes.a.await(given, SHORT));
            CancellationException second = catchThrowableOfType(CancellationException.class,
                    () -> nodes.a.await(given, SHORT));
            assertThat(first).isNotSameAs(second).hasMessageContaining("receive of at most 8 bytes");
            CompletableFuture<Received> derived = given.thenApply(received -> received);
            assertThatThrownBy(() -> nodes.a.await(derived, SHORT)).isInstanceOf(CancellationException.class)
                    .hasMessage(first.getMessage()).isNotSameAs(derived.exceptionNow());
        }
    }
}
