// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that fails with one of its messages says which call it was; the message, with its own tag, is the cause. */
@Timeout(120)
class FailureOfCallsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static Nodes open(Providers.Choice choice, NodeOptions options) {
        return Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED), options);
    }

    /** The one who is to take it makes no progress; others than shm ask it before. The call's deadline counts. */
    @Test
    void aRequestThatIsNotTaken() throws Exception {
        assumeTrue(Providers.SHM.isOffered());
        try (Nodes nodes = open(Providers.SHM, NodeOptions.DEFAULT.withCallerProgress()
                .withDeadline(Duration.ofMillis(500)));
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]));
                Caller caller = Caller.open(nodes.toB, 5)) {
            CompletableFuture<byte[]> first = caller.call(new byte[1], LONG);
            nodes.drive(first);
            assertThat(service.answered()).isOne();
            CompletableFuture<byte[]> call = caller.call(new byte[1_000_000], Duration.ofSeconds(1));
            assertThatThrownBy(() -> call.get(40, TimeUnit.SECONDS)).cause().isInstanceOf(FabricException.class)
                    .hasMessageStartingWith("call of service 5 at " + nodes.b.address() + ": FI_ETIMEDOUT")
                    .hasMessageNotContaining(" tag ");
        }
    }

    /** What its node has no place for; shm takes more at once. */
    @Test
    void aFullNode() {
        assumeTrue(Providers.RXM.isOffered());
        try (Nodes nodes = open(Providers.RXM, NodeOptions.DEFAULT.withCallerProgress().withTransmitLimit(16)
                .withReceiveLimit(1000).withPeerLimit(1).withBacklog(2));
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]));
                Caller caller = Caller.open(nodes.toB, 5)) {
            CompletableFuture<byte[]> first = caller.call(new byte[1], LONG);
            nodes.drive(first);
            assertThat(service.answered()).isOne();
            List<CompletableFuture<byte[]>> calls = Stream.generate(() -> caller.call(new byte[4000], LONG)).limit(1000)
                    .toList();
            Waits.until("one has failed", () -> calls.stream().anyMatch(CompletableFuture::isDone));
            assertThat(calls).filteredOn(CompletableFuture::isDone).allSatisfy(call -> assertThat(call.exceptionNow())
                    .isInstanceOf(OverloadException.class).hasMessageStartingWith("call of service 5 at ")
                    .hasMessageContaining("withBacklog").hasMessageNotContaining(" tag ")
                    .satisfies(e -> assertThat(((FabricException) e).error()).isEqualTo(FabricError.EAGAIN)));
        }
    }
}
