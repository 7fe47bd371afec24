// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.life.Entry;
import io.jfabric.internal.life.FidObject;
import io.jfabric.testkit.Providers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that cannot be closed now: something is inside a native call. */
@Timeout(60)
class NodeClosingTest {
    @Test
    void whoIsRefusedMayTryAgain() throws Exception {
        for (NodeOptions options : List.of(NodeOptions.DEFAULT, NodeOptions.DEFAULT.withCallerProgress())) {
            try (FabricInfoList infos = Providers.RXM.find(hints -> { })) {
                refusedAtFirst(Node.open(infos.first(), options));
            }
        }
    }

    /** Nobody would make progress for it. */
    @Test
    void whoIsRefusedAcceptsNobody() throws Exception {
        try (FabricInfoList infos = Providers.TCP_MSG.find(hints -> { }); Node server = Node.open(infos.first());
             NodeListener listener = server.listen(); Node client = Node.open(infos.first())) {
            client.connect(listener.address());
            ConnectionOffer offer = listener.next().get(10, TimeUnit.SECONDS);
            Entry entry = ((FidObject) server.completionQueue()).entry();
            assertThat(enter(entry)).isNotZero();
            try {
                assertThatThrownBy(server::close).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("inside a native call");
            } finally {
                entry.leave();
            }
            assertThatThrownBy(offer::accept).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the node is closed");
            assertThatThrownBy(() -> server.connect(listener.address())).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the node is closed");
        }
    }

    /** Else one of them might take the memory for its own again. */
    @Test
    void allWhoCloseAreRefused() throws Exception {
        System.setProperty("jfabric.closeTimeoutMillis", "500");
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first())) {
            Entry entry = ((FidObject) node.completionQueue()).entry();
            assertThat(enter(entry)).isNotZero();
            List<FutureTask<Boolean>> closers = Stream.generate(() -> new FutureTask<>(() -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(node::close).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("inside native calls");
                return Thread.interrupted();
            })).limit(3).toList();
            closers.forEach(Thread.ofPlatform()::start);
            for (FutureTask<Boolean> closer : closers) {
                assertThat(closer.get(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(node.fabric().isOpen()).isTrue();
            entry.leave();
        } finally {
            System.clearProperty("jfabric.closeTimeoutMillis");
        }
    }

    /** The node's own thread may be inside at this moment: there is one at a time. */
    private static long enter(Entry entry) throws InterruptedException {
        long handle = entry.enter();
        for (int i = 0; i < 10_000 && handle == 0; i++) {
            Thread.sleep(1);
            handle = entry.enter();
        }
        return handle;
    }

    private static void refusedAtFirst(Node node) throws Exception {
        CompletableFuture<Received> receive = node.receive(node.allocate(8), 1);
        CompletableFuture<Void> released = node.released(receive);
        Entry entry = ((FidObject) node.completionQueue()).entry();
        // as in a callback of the provider's
        assertThat(enter(entry)).isNotZero();
        try {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(node::close).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("inside a native call");
                assertThat(receive).isCompletedExceptionally();
                assertThat(receive.exceptionNow()).hasMessageContaining("ECANCELED");
                assertThat(node.fabric().isOpen()).isTrue();
                assertThat(node.underWay()).isOne();
                assertThat(released).isNotDone();
            }
        } finally {
            entry.leave();
        }
        node.close();
        assertThat(node.fabric().isOpen()).isFalse();
        assertThat(node.underWay()).isZero();
        released.get(10, TimeUnit.SECONDS);
        node.close();
    }
}
