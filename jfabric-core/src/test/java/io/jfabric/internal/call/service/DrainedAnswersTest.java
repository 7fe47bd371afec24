// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a service that is drained says of long answers that cannot be sent; with a caller made by hand. */
@Timeout(60)
class DrainedAnswersTest {
    private static final int SIZE = 8 << 20;
    /** Nobody receives there. */
    private static final long NOWHERE = 1L << 61 | 1L << 56 | 3L << 48 | 9;

    /** What becomes of an answer that was announced, while the service is drained. */
    private interface Scene {
        void play(CallerByHand caller, long answer, PeerImpl ofService) throws Exception;
    }

    /** What the drain says. */
    private static boolean drain(Duration deadline, Scene scene) throws Exception {
        try (Hints hints = Providers.RXM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints); Node b = Node.open(hints, NodeOptions.DEFAULT.withDeadline(deadline));
                Service service = Service.open(b, 5, call -> call.answer(b.allocate(SIZE)));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            caller.says(Frame.CALL, 1, 0, Duration.ofSeconds(20).toNanos(), 0);
            CallerByHand.Said announced = caller.hears();
            assertThat(announced.type()).isEqualTo(Frame.ANSWER_LARGE);
            CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(
                    () -> service.drain(Duration.ofSeconds(50)));
            Waits.until("it takes no calls", () -> !service.isOpen());
            scene.play(caller, announced.more(), (PeerImpl) b.peer(a.address()));
            boolean said = drained.get(50, TimeUnit.SECONDS);
            // what is under way to nowhere would be kept
            Wire wire = caller.hub.wire;
            wire.receivePayload(a.allocate(SIZE), NOWHERE, Duration.ofSeconds(1)).received().exceptionally(
                    none -> 0L).get(20, TimeUnit.SECONDS);
            return said;
        }
    }

    @Test
    void thatCannotBeSent() throws Exception {
        assertThat(drain(Duration.ofSeconds(1), (caller, answer, ofService) ->
                caller.says(Frame.GO, 1, SIZE, NOWHERE, answer))).isFalse();
    }

    /** For half a minute. */
    @Test
    @Tag("long")
    void thatIsNotFetched() throws Exception {
        assertThat(drain(Duration.ofSeconds(30), (caller, answer, ofService) -> { })).isFalse();
    }

    @Test
    void ofWhoHasSaidGoodbye() throws Exception {
        assertThat(drain(Duration.ofSeconds(30), (caller, answer, ofService) ->
                caller.says(Frame.BYE, 0, 0, 0, 0))).isTrue();
    }

    /** As by a keep-alive: what was under way fails before it is known everywhere that the caller is gone. */
    @Test
    void whosePeerIsDown() throws Exception {
        assertThat(drain(Duration.ofSeconds(30), (caller, answer, ofService) -> {
            caller.says(Frame.GO, 1, SIZE, NOWHERE, answer);
            Waits.until("it is being sent", () -> ofService.underWay() > 0);
            ofService.fail(FabricException.of("a test", 5, null));
        })).isTrue();
    }
}
