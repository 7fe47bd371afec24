// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.RemoteRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.FreePort;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever does not answer leaves places with the provider for what goes to others. */
@Timeout(60)
class RxdDeadPeerTest {
    /** There are 1,024. */
    private static final int MORE_THAN_PLACES = 1100;
    private static final int DEAD = 16;
    private static final Duration OFTEN = Duration.ofMillis(50);
    private static final long LASTING = TimeUnit.SECONDS.toNanos(1);

    @BeforeEach
    void offered() {
        Providers.RXD.assumeOffered();
    }

    private static Address nobody() {
        return Address.of(new InetSocketAddress("127.0.0.1", FreePort.choose()));
    }

    private static void withAtomics(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA, Capability.ATOMIC);
    }

    private static void reachesB(NodePair nodes) {
        var mail = nodes.b.receive(nodes.b.allocate(8), 7);
        nodes.await(nodes.a.send(nodes.a.allocate(8), nodes.toB, 7));
        nodes.await(mail);
    }

    @Test
    void sendsToOnePeer() {
        try (NodePair nodes = NodePair.open(Providers.RXD)) {
            Peer dead = nodes.a.peer(nobody());
            for (int i = 0; i < MORE_THAN_PLACES; i++) {
                nodes.a.send(nodes.a.allocate(8), dead, 1);
            }
            reachesB(nodes);
        }
    }

    @Test
    void sendsToOneAfterTheOther() {
        try (NodePair nodes = NodePair.open(Providers.RXD)) {
            Address nobody = nobody();
            for (int i = 0; i < MORE_THAN_PLACES; i++) {
                Peer dead = nodes.a.peer(nobody);
                nodes.a.send(nodes.a.allocate(8), dead, 1);
                dead.close();
            }
            reachesB(nodes);
            assertThat(nodes.a.underWay()).isEqualTo(1);
        }
    }

    /** What fetches goes alone there, and what was injected might still be under way. */
    @Test
    void questionsLetFetchesPass() {
        try (NodePair nodes = NodePair.open(Providers.RXD, RxdDeadPeerTest::withAtomics);
                KeepAlive one = KeepAlive.open(nodes.a, OFTEN, 50);
                KeepAlive other = KeepAlive.open(nodes.b, OFTEN, 50)) {
            MemorySegment word = nodes.b.allocate(8);
            RemoteRegion region = nodes.b.register(word, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).remote();
            reachesB(nodes);
            one.watch(nodes.toB);
            other.watch(nodes.toA);
            long sum = 0;
            for (long start = System.nanoTime(); System.nanoTime() - start < LASTING; sum++) {
                assertThat(nodes.await(nodes.a.fetchAndAdd(nodes.toB, region, 0, 1))).isEqualTo(sum);
            }
        }
    }

    /** Of dead services, which are asked again and again; until one of them is there. */
    @Test
    void callers() throws Exception {
        List<Address> dead = IntStream.range(0, DEAD).mapToObj(i -> nobody()).toList();
        try (NodePair nodes = NodePair.open(Providers.RXD); KeepAlive alive = KeepAlive.open(nodes.a, OFTEN, 50);
                Service _ = Service.open(nodes.b, 1, CallHandler.of(bytes -> bytes));
                Caller living = Caller.open(nodes.toB, 1)) {
            List<Caller> callers = dead.stream().map(address -> Caller.open(alive, address, 1)).toList();
            var ended = callers.getFirst().peer().ended();
            for (int i = 0; i < 15; i++) {
                assertThat(living.call(new byte[3]).get(10, TimeUnit.SECONDS)).hasSize(3);
                Thread.sleep(100);
            }
            assertThat(alive.ended()).as("the dead were asked").isGreaterThan(DEAD);
            Waits.until("one ends", () -> ended.isDone());
            assertThat(ended.exceptionNow()).hasMessageContaining("FI_EHOSTDOWN")
                    .hasMessageContaining("for more than a minute").hasMessageContaining("open another");
            try (Hints hints = Hints.rdm().provider("udp;ofi_rxd").sourceAddress(dead.getFirst());
                    Node late = Node.open(hints); KeepAlive _ = KeepAlive.open(late);
                    Service _ = Service.open(late, 1, CallHandler.of(bytes -> bytes))) {
                Waits.until("it is found", () -> answers(callers.getFirst()));
            }
        }
    }

    private static boolean answers(Caller caller) {
        try {
            return caller.call(new byte[2], Duration.ofSeconds(10)).get(20, TimeUnit.SECONDS).length == 2;
        } catch (ExecutionException down) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
