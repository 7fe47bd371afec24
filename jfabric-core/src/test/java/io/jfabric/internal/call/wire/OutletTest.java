// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is for a session that has ended, on the other side of which nobody reads. */
@Timeout(60)
class OutletTest {
    private static final long TARGET = Wire.replies(7);
    private static final int THREADS = 64;

    /** By itself, and short enough to be one of a bundle. */
    @ParameterizedTest
    @ValueSource(ints = {4096, 8})
    void isGivenUpByWhomeverItIsSent(int payload) throws Exception {
        try (Hints hints = Providers.SHM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node deaf = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Node node = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Duration.ofMinutes(5)))) {
            Keeper receiver = new Keeper();
            Hub hub = Hub.join((NodeImpl) node, Wire.requests(5), receiver);
            Peer peer = node.peer(deaf.address());
            Outlet outlet = new Outlet(hub, peer, TARGET, false);
            Outlet another = new Outlet(hub, peer, TARGET + 1, false);
            while (peer.waiting() < 100) {
                outlet.send(frame(node, payload), Frame.HEADER + payload, 0);
            }
            CompletableFuture<Void> others = another.send(frame(node, 4096), Frame.HEADER + 4096, 0);
            // all of them wait for what who ends the session waits for, too
            List<Thread> threads = new ArrayList<>();
            synchronized (transmits(peer)) {
                for (int i = 0; i < THREADS; i++) {
                    MemorySegment frame = frame(node, payload);
                    threads.add(Thread.ofPlatform().start(() -> outlet.send(frame, Frame.HEADER + payload, 4096)));
                }
                // a short one may be with others, without waiting
                for (Thread thread : threads) {
                    Waits.until("it waits", () -> waits(thread) || payload < 4096 && !thread.isAlive());
                }
                Thread drops = Thread.ofPlatform().start(outlet::drop);
                threads.add(drops);
                Waits.until("it waits", () -> waits(drops));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            outlet.flush();
            assertThat(peer.waiting()).as("of the other session").isEqualTo(1);
            CompletableFuture<Void> late = outlet.send(frame(node, payload), Frame.HEADER + payload, 4096);
            outlet.flush();
            assertThat(late).isCompletedExceptionally();
            assertThat(node.released(late)).as("its frame").isDone();
            assertThat(peer.waiting()).as("of the other session").isEqualTo(1);
            assertThat(others).isNotDone();
            Outlet next = new Outlet(hub, peer, TARGET, false);
            CompletableFuture<Void> ofNext = next.send(frame(node, 4096), Frame.HEADER + 4096, 0);
            assertThat(outlet.send(frame(node, payload), Frame.HEADER + payload, 4096)).isCompletedExceptionally();
            outlet.flush();
            assertThat(ofNext).as("of the next session of the same caller").isNotDone();
            hub.leave(Wire.requests(5), receiver, false);
        }
    }

    /** Who sends, and who ends the session, come to the lane after the next session of the same caller has begun. */
    @ParameterizedTest
    @ValueSource(ints = {4096, 8})
    void theNextSessionKeepsItsOwn(int payload) throws Exception {
        try (Hints hints = Providers.SHM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node deaf = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Node node = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Duration.ofMinutes(5)))) {
            Keeper receiver = new Keeper();
            Hub hub = Hub.join((NodeImpl) node, Wire.requests(5), receiver);
            Peer peer = node.peer(deaf.address());
            Outlet outlet = new Outlet(hub, peer, TARGET, false);
            while (peer.waiting() < 100) {
                outlet.send(frame(node, 4096), Frame.HEADER + 4096, 0);
            }
            MemorySegment frame = frame(node, payload);
            CompletableFuture<CompletableFuture<Void>> late = new CompletableFuture<>();
            CompletableFuture<Void> ofNext;
            Thread sends;
            Thread drops;
            synchronized (transmits(peer)) {
                sends = Thread.ofPlatform().start(() -> late.complete(
                        outlet.send(frame, Frame.HEADER + payload, 4096)));
                Waits.until("it waits", () -> waits(sends));
                drops = Thread.ofPlatform().start(outlet::drop);
                Waits.until("it waits", () -> waits(drops));
                // this thread has the lock
                ofNext = new Outlet(hub, peer, TARGET, false).send(frame(node, 4096), Frame.HEADER + 4096, 0);
            }
            sends.join();
            drops.join();
            assertThat(late.join()).isCompletedExceptionally();
            assertThat(ofNext).as("of the next session").isNotDone();
            assertThat(peer.waiting()).as("of the next session").isEqualTo(1);
            hub.leave(Wire.requests(5), receiver, false);
        }
    }

    /** What goes by itself does not overtake what waits. */
    @Test
    void whatWaitsGoesFirst() {
        try (Hints hints = Providers.SHM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node deaf = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Node node = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress())) {
            Keeper receiver = new Keeper();
            Hub hub = Hub.join((NodeImpl) node, Wire.requests(5), receiver);
            Peer peer = node.peer(deaf.address());
            Outlet outlet = new Outlet(hub, peer, TARGET, true);
            MemorySegment frame = frame(node, 8);
            int[] begun = new int[1];
            Waits.spin("one waits for others, not for too long already", () -> {
                begun[0] = begun(peer);
                outlet.send(frame, Frame.HEADER + 8, 4096);
                return begun(peer) == begun[0];
            });
            // there would be room for it
            outlet.send(frame(node, 1500), Frame.HEADER + 1500, 4096);
            assertThat(begun(peer)).isEqualTo(begun[0] + 2);
            hub.leave(Wire.requests(5), receiver, false);
        }
    }

    /** Also where a bundle is too long to be injected, and the buffer is the provider's for a while. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsSentTogetherGivesItsBufferBack(Providers.Choice choice) {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node reader = Node.open(hints, NodeOptions.DEFAULT);
                Node node = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress())) {
            Keeper receiver = new Keeper();
            Hub hub = Hub.join((NodeImpl) node, Wire.requests(5), receiver);
            Peer peer = node.peer(reader.address());
            Outlet outlet = new Outlet(hub, peer, TARGET, true);
            MemorySegment frame = frame(node, 900);
            CompletableFuture<Void> last = null;
            boolean copied = false;
            for (int i = 0; i < 32; i++) {
                last = outlet.send(frame, Frame.HEADER + 900, 4096);
                copied |= Outlet.isCopied(last);
            }
            outlet.flush();
            assertThat(copied).as("some were sent together").isTrue();
            hub.leave(Wire.requests(5), receiver, false);
            Waits.spin("all buffers are back", () -> {
                node.progress();
                return hub.buffers.isUnused();
            });
        }
    }

    private static int begun(Peer peer) {
        return peer.underWay() + peer.waiting();
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.BLOCKED || thread.getState() == Thread.State.WAITING;
    }

    private static Object transmits(Peer peer) {
        return ((PeerImpl) peer).transmits();
    }

    private static MemorySegment frame(Node node, int payload) {
        MemorySegment frame = node.allocate(Frame.HEADER + payload);
        Frame.write(frame, Frame.ANSWER, 1, 2, 3, payload, 0, 0);
        return frame;
    }
}
