// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that begin while node or peer is being closed, and their caller does not know yet. */
@Timeout(60)
class ClosedUnderCallTest {
    private static final List<Integer> LENGTHS = List.of(0, 56, 4097, 100_000);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** What a call fails with that begins when something else has ended. */
    private static CompletableFuture<Throwable> callAfter(CompletableFuture<?> first, Caller caller, int length) {
        return first.handle((done, closed) -> caller.call(new byte[length])).thenCompose(call -> call)
                .handle((answer, why) -> why instanceof CompletionException ? why.getCause() : why);
    }

    private static void isCancelled(CompletableFuture<Throwable> why, String closed) throws Exception {
        Throwable failure = why.get(20, TimeUnit.SECONDS);
        assertThat(failure).isInstanceOf(FabricException.class).hasMessageContaining("call of service 3 at ")
                .hasMessageContaining(closed);
        assertThat(((FabricException) failure).error()).isEqualTo(FabricError.ECANCELED);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whileTheNodeIsClosed(Providers.Choice choice) throws Exception {
        for (int length : LENGTHS) {
            CompletableFuture<Throwable> why;
            try (Nodes nodes = Nodes.open(choice); Service echo = Service.open(nodes.b, 3, c -> c.answer(c.bytes()))) {
                assertThat(echo.isOpen()).isTrue();
                Caller caller = Caller.open(nodes.toB, 3, CallerOptions.DEFAULT);
                assertThat(caller.call(new byte[8]).get(20, TimeUnit.SECONDS)).hasSize(8);
                // ends with the node, before those who have opened something are told
                why = callAfter(nodes.a.receive(nodes.a.allocate(8), 77), caller, length);
                nodes.a.close();
            }
            isCancelled(why, "the node was closed");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    @Tag("long")
    void whileThePeerIsClosed(Providers.Choice choice) throws Exception {
        NodeOptions few = NodeOptions.DEFAULT.withTransmitLimit(8).withReceiveLimit(8).withPeerLimit(2);
        for (int length : LENGTHS) {
            int tries = 0;
            while (!isPeerClosedUnderCall(choice, few, length)) {
                assertThat(++tries).as("the last message always ended before the peer was closed").isLessThan(20);
            }
        }
    }

    /** False if the message before the call has ended before the peer was closed: the other side may keep it. */
    private static boolean isPeerClosedUnderCall(Providers.Choice choice, NodeOptions few, int length)
            throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, few);
             Service echo = Service.open(nodes.b, 3, c -> c.answer(c.bytes()))) {
            assertThat(echo.isOpen()).isTrue();
            Caller caller = Caller.open(nodes.toB, 3, CallerOptions.DEFAULT);
            assertThat(caller.call(new byte[8]).get(20, TimeUnit.SECONDS)).hasSize(8);
            MemorySegment out = nodes.a.allocate(1 << 20);
            nodes.a.send(out, nodes.toB, 5);
            nodes.a.send(out, nodes.toB, 5);
            // waits behind those, which nobody receives
            CompletableFuture<Void> last = nodes.a.send(out, nodes.toB, 5);
            CompletableFuture<Throwable> why = callAfter(last, caller, length);
            nodes.toB.close();
            if (!last.handle((done, failure) -> failure != null).get(20, TimeUnit.SECONDS)) {
                return false;
            }
            isCancelled(why, "the peer was closed");
            return true;
        }
    }
}
