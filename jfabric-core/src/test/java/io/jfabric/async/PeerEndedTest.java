// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Peer#ended}. */
@Timeout(60)
class PeerEndedTest {
    /** Programs ask for each request; what waits for a peer that lives must not grow with that. */
    @Test
    void askingLeavesNothingWithThePeer() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first())) {
            Peer peer = node.peer(other.address());
            for (int i = 0; i < 1000; i++) {
                CompletableFuture<Object> answer = new CompletableFuture<>();
                CompletableFuture<Object> first = CompletableFuture.anyOf(answer, peer.ended());
                answer.complete(i);
                assertThat(first.join()).isEqualTo(i);
            }
            assertThat(peer.ended().getNumberOfDependents()).isZero();
        }
    }

    @Test
    void nobodyButTheNodeCompletesIt() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first())) {
            Peer peer = node.peer(other.address());
            CompletableFuture<Void> ended = peer.ended();
            assertThat(ended.complete(null)).isFalse();
            assertThat(ended.completeExceptionally(new IllegalStateException("not so"))).isFalse();
            assertThat(ended.cancel(true)).isFalse();
            assertThatThrownBy(() -> ended.obtrudeValue(null)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> ended.obtrudeException(new IllegalStateException("not so")))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> ended.orTimeout(1, TimeUnit.MILLISECONDS).get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TimeoutException.class);
            assertThat(ended.completeOnTimeout(null, 1, TimeUnit.MILLISECONDS)).succeedsWithin(
                    Duration.ofSeconds(20));
            assertThat(ended.completeAsync(() -> null)).succeedsWithin(Duration.ofSeconds(20));
            assertThat(ended).isNotDone();
            peer.close();
            assertThat(ended).isCompleted();
        }
    }

    /** What is waited for refuses to be given up: the wait ends nevertheless. */
    @Test
    @Timeout(20)
    void whoAwaitsItHasADeadline() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first())) {
            CompletableFuture<Void> ended = node.peer(other.address()).ended();
            assertThatThrownBy(() -> node.await(ended, Duration.ofMillis(50))).isInstanceOf(FabricException.class)
                    .hasMessageContaining("ETIMEDOUT").hasMessageContaining("not done within 0.05 s");
            Thread.currentThread().interrupt();
            try {
                assertThatThrownBy(() -> node.await(ended, Duration.ofSeconds(15)))
                        .hasMessageContaining("EINTR").hasMessageNotContaining("arriving");
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(ended).isNotDone();
        }
    }

    @Test
    void copiesThatAreDoneDoNotStay() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first())) {
            Peer peer = node.peer(other.address());
            CompletableFuture<Void> waits = peer.ended().copy();
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Void> late = peer.ended().orTimeout(1, TimeUnit.MILLISECONDS);
                assertThat(late.handle((done, why) -> why).join()).isInstanceOf(TimeoutException.class);
                peer.ended().copy().cancel(false);
            }
            // whose time was over lets go of it after it has told
            Waits.until("only the one that waits is there", () -> peer.ended().getNumberOfDependents() == 1);
            ((PeerImpl) peer).fail(FabricException.of("this test", FabricError.EHOSTDOWN.code(), "it is gone"));
            assertThatThrownBy(() -> waits.get(20, TimeUnit.SECONDS)).hasMessageContaining("EHOSTDOWN");
        }
    }

    @Test
    void whatFollowsRunsInTheExecutor() throws Exception {
        try (ExecutorService one = Executors.newSingleThreadExecutor(task -> new Thread(task, "the program's"));
                FabricInfoList infos = Providers.SHM.find(hints -> { });
                Node node = Node.open(infos.first(), NodeOptions.DEFAULT.withExecutor(one));
                Node other = Node.open(infos.first())) {
            Peer peer = node.peer(other.address());
            CompletableFuture<String> told = peer.ended().thenApply(done -> Thread.currentThread().getName());
            peer.close();
            assertThat(told.get(20, TimeUnit.SECONDS)).isEqualTo("the program's");
        }
    }

    /** As programs do that open another one then: the calls do not fail by that. */
    @Test
    void callsFailForThisReasonThoughTheCallerIsClosedAsOneHearsOfIt() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first()); Service mute = Service.open(other, 7, call -> { })) {
            Peer peer = node.peer(other.address());
            Caller caller = Caller.open(peer, 7);
            peer.ended().whenComplete((done, why) -> caller.close());
            CompletableFuture<byte[]> call = caller.call(new byte[10], Duration.ofSeconds(50));
            ((PeerImpl) peer).fail(FabricException.of("this test", FabricError.EHOSTDOWN.code(), "it is gone"));
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasMessageContaining("EHOSTDOWN");
            assertThat(mute.answered()).isZero();
        }
    }
}
