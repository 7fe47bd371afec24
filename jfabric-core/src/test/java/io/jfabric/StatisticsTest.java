// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Received;
import io.jfabric.async.Service;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What endpoints and domains count. */
@Timeout(60)
class StatisticsTest {
    private static final int MESSAGES = 200;
    private final MemorySegment memory = Arena.ofAuto().allocate(64);

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void eachOperationIsCountedOnce(Providers.Choice choice) {
        assumeTrue(choice.isOffered());
        try (Pair pair = Pair.open(choice).connect()) {
            OperationStatistics before = pair.a.endpoint.statistics();
            assertThat(before.posted()).as("one message each way").isEqualTo(2);
            assertThat(before.completed()).isEqualTo(2);
            for (int i = 1; i <= MESSAGES; i++) {
                pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
                pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 2));
                pair.await(pair.a, 2);
                pair.await(pair.b, 1);
            }
            OperationStatistics after = pair.a.endpoint.statistics();
            assertThat(after.posted()).isEqualTo(2 + MESSAGES);
            assertThat(after.completed()).isEqualTo(2 + MESSAGES);
            assertThat(after.errors()).isZero();
            assertThat(after.underWay()).isZero();
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 3));
            assertThat(pair.b.endpoint.statistics().underWay()).isEqualTo(1);
            DomainStatistics domain = pair.domain.statistics();
            assertThat(domain.endpoints()).isEqualTo(2);
            assertThat(domain.operations().completed()).isEqualTo(4 + 2 * MESSAGES);
            assertThat(domain.operations().posted()).isEqualTo(5 + 2 * MESSAGES);
            pair.b.endpoint.close();
            OperationStatistics closed = pair.b.endpoint.statistics();
            assertThat(closed.underWay()).isZero();
            assertThat(closed.posted()).isEqualTo(3 + MESSAGES);
            assertThat(closed.completed()).as("the receive never was").isEqualTo(2 + MESSAGES);
            assertThat(pair.domain.statistics().operations().posted()).as("kept").isEqualTo(5 + 2 * MESSAGES);
            assertThat(pair.domain.statistics().endpoints()).isEqualTo(1);
        }
    }

    @Test
    void refusalsAreCountedAsBusy() {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            long refused = pair.a.endpoint.statistics().busy();
            long taken = pair.a.endpoint.statistics().posted();
            for (int i = 0; i < 10_000; i++) {
                if (pair.a.endpoint.messages().send(memory, pair.a.peer, 1)) {
                    taken++;
                } else {
                    refused++;
                }
            }
            assertThat(refused).isPositive();
            OperationStatistics statistics = pair.a.endpoint.statistics();
            assertThat(statistics.busy()).isEqualTo(refused);
            assertThat(statistics.posted()).isEqualTo(taken);
            assertThat(statistics.posted()).isEqualTo(statistics.completed() + statistics.underWay());
        }
    }

    @Test
    void errorsAreCounted() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM).connect()) {
            pair.post(() -> pair.b.endpoint.messages().receive(memory.asSlice(0, 8), Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 2));
            assertThat(pair.awaitError(pair.b, 1).error().error()).isEqualTo(FabricError.ETRUNC);
            assertThat(pair.b.endpoint.statistics().errors()).isEqualTo(1);
            assertThat(pair.b.endpoint.statistics().completed()).isEqualTo(3 - 1 + 1);
        }
    }

    @Test
    void whatIsCancelledIsNoError() throws Exception {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            long completed = pair.b.endpoint.statistics().completed();
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
            pair.b.endpoint.cancel(1);
            assertThat(pair.awaitError(pair.b, 1).error().error()).isEqualTo(FabricError.ECANCELED);
            assertThat(pair.b.endpoint.statistics().errors()).isZero();
            assertThat(pair.b.endpoint.statistics().completed()).isEqualTo(completed + 1);
        }
        try (FabricInfoList infos = Providers.SHM.find(hints -> { });
                Node node = Node.open(infos.first())) {
            try (Service service = Service.open(node, 1, call -> call.answer(call.bytes()));
                    Caller caller = Caller.open(node.peer(node.address()), 1)) {
                caller.call(new byte[1]).get(30, TimeUnit.SECONDS);
                assertThat(service.toString()).isNotEmpty();
            }
            long end = System.nanoTime() + 10_000_000_000L;
            while (node.underWay() > 0 && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertThat(node.underWay()).isZero();
            assertThat(node.statistics().domain().operations().errors()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("callProviders")
    void operationsOfTheProgramAreToldFromTheNodesOwn(Providers.Choice choice) throws Exception {
        NodePair nodes = NodePair.open(choice);
        try (nodes; KeepAlive alive = KeepAlive.open(nodes.a); Service _ = Service.open(nodes.b, 1,
                CallHandler.of(bytes -> bytes)); Caller caller = Caller.open(nodes.toB, 1)) {
            alive.watch(nodes.toB);
            caller.call(new byte[10]).get(20, TimeUnit.SECONDS);
            assertThat(nodes.b.statistics().underWayOfProgram()).isZero();
            assertThat(nodes.a.statistics().underWayOfProgram()).isZero();
            assertThat(nodes.a.statistics().underWayOfNode()).isPositive();
            CompletableFuture<Received> waits = nodes.b.receive(nodes.b.allocate(8), 99);
            assertThat(nodes.b.statistics().underWayOfProgram()).isEqualTo(1);
            assertThat(nodes.b.statistics().underWayOfNode()).isPositive();
            waits.cancel(false);
            Waits.until("it is cancelled", () -> nodes.b.statistics().underWayOfProgram() == 0);
        }
        assertThat(nodes.b.statistics().underWayOfProgram() + nodes.b.statistics().underWayOfNode())
                .as("of a closed node").isZero();
    }

    static Stream<Providers.Choice> callProviders() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM);
    }

    @Test
    void registeredBytesComeAndGo() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM, hints -> hints.capabilities(Capability.RMA))) {
            long before = pair.domain.statistics().registeredBytes();
            MemoryRegion region = pair.domain.register(memory, MemoryAccess.REMOTE_WRITE);
            assertThat(pair.domain.statistics().registeredBytes()).isEqualTo(before + memory.byteSize());
            assertThat(pair.domain.statistics().regions()).isPositive();
            region.close();
            assertThat(pair.domain.statistics().registeredBytes()).isEqualTo(before);
        }
    }

    @Test
    void postsOfSeveralThreadsAreCounted() throws InterruptedException {
        assumeTrue(Providers.RXM.isOffered());
        int receives = 500;
        try (Pair pair = Pair.open(Providers.RXM)) {
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < receives; i++) {
                        Waits.spin("the receive is posted",
                                () -> pair.a.endpoint.tagged().receive(memory, Address.ANY, 1, 0, 1));
                    }
                });
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(pair.a.endpoint.statistics().posted()).isEqualTo((long) threads.length * receives);
            assertThat(pair.a.endpoint.statistics().underWay()).isEqualTo((long) threads.length * receives);
        }
    }
}
