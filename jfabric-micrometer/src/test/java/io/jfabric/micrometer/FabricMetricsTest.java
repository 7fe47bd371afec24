// SPDX-License-Identifier: Apache-2.0
package io.jfabric.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.async.BufferPool;
import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.async.Received;
import io.jfabric.async.Service;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registry as programs have it, while bytes move. */
@Timeout(60)
class FabricMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static Node open(String provider) {
        try (Hints hints = Hints.rdm().provider(provider)) {
            return Node.open(hints);
        }
    }

    private double counted(String name, String of) {
        return registry.get(name).tag("who", of).functionCounter().count();
    }

    private double measured(String name, String of) {
        return registry.get(name).tag("who", of).gauge().value();
    }

    private double bytes(String direction, String of) {
        return registry.get("jfabric.bytes").tags("who", of, "direction", direction).functionCounter().count();
    }

    private static void exchange(Node a, Node b, int bytes) throws Exception {
        CompletableFuture<Received> got = b.receive(b.allocate(bytes), 1);
        CompletableFuture<Void> sent = a.send(a.allocate(bytes), a.peer(b.address().bytes()), 1);
        got.get(20, TimeUnit.SECONDS);
        sent.get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void bytesThatMoveAreSeen(String provider) throws Exception {
        Node a = open(provider);
        try (Node b = open(provider)) {
            FabricMetrics.of(a, Tag.of("who", "a")).bindTo(registry);
            FabricMetrics.of(b, Tag.of("who", "b")).bindTo(registry);
            FabricMetrics.of(a.domain(), Tag.of("who", "domain")).bindTo(registry);
            FabricMetrics.of(a.endpoint(), Tag.of("who", "endpoint")).bindTo(registry);
            assertThat(bytes("sent", "a")).isZero();
            for (int i = 1; i <= 10; i++) {
                exchange(a, b, 1000);
                assertThat(bytes("sent", "a")).isEqualTo(1000.0 * i);
                assertThat(bytes("received", "b")).isEqualTo(1000.0 * i);
            }
            assertThat(bytes("received", "a")).isZero();
            for (String who : new String[] {"a", "domain", "endpoint"}) {
                assertThat(counted("jfabric.operations.posted", who)).isGreaterThanOrEqualTo(10);
                assertThat(counted("jfabric.operations.completed", who)).isGreaterThanOrEqualTo(10);
                assertThat(counted("jfabric.operations.errors", who)).isZero();
            }
            double regions = measured("jfabric.regions", "b");
            b.register(b.allocate(4096), MemoryAccess.REMOTE_READ);
            assertThat(measured("jfabric.regions", "b")).isEqualTo(regions + 1);
            assertThat(measured("jfabric.registered", "b")).isGreaterThanOrEqualTo(4096);
            assertThat(measured("jfabric.endpoints", "b")).isEqualTo(1);
            CompletableFuture<Received> waits = b.receive(b.allocate(8), 99);
            assertThat(measured("jfabric.operations.underway", "b")).isEqualTo(1);
            waits.cancel(true);
            assertThat(registry.get("jfabric.bytes").meters()).extracting(Meter::getId)
                    .allMatch(id -> id.getTag("provider").contains(provider) && id.getTag("domain") != null);
            a.close();
            assertThat(bytes("sent", "a")).as("of a node that is closed").isEqualTo(10_000);
            assertThat(measured("jfabric.operations.underway", "a")).isZero();
        } finally {
            a.close();
        }
    }

    /** A registry lives as long as the program, a node may not. */
    @Test
    void metersKeepNothingFromBeingCollected() throws Exception {
        WeakReference<Node> node = new WeakReference<>(open("shm"));
        FabricMetrics.of(node.get(), Tag.of("who", "a")).bindTo(registry);
        FabricMetrics.of(node.get().domain(), Tag.of("who", "domain")).bindTo(registry);
        FabricMetrics.of(node.get().endpoint(), Tag.of("who", "endpoint")).bindTo(registry);
        assertThat(measured("jfabric.endpoints", "a")).isEqualTo(1);
        node.get().close();
        while (node.get() != null) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(measured("jfabric.operations.underway", "endpoint")).matches(value -> value == 0 || value.isNaN());
    }

    /** As a program does that opens its node again when it was broken. */
    @Test
    void aNodeOpenedAgainIsMeasured() throws Exception {
        Tag who = Tag.of("who", "a");
        Node first = open("shm");
        FabricMetrics<Node> old = FabricMetrics.of(first, who);
        try (Node b = open("shm")) {
            old.bindTo(registry);
            exchange(first, b, 1000);
            first.close();
            try (Node again = open("shm")) {
                FabricMetrics<Node> young = FabricMetrics.of(again, who);
                young.bindTo(registry);
                assertThat(measured("jfabric.endpoints", "a")).isEqualTo(1);
                double before = counted("jfabric.operations.posted", "a");
                exchange(again, b, 100);
                assertThat(counted("jfabric.operations.posted", "a")).isGreaterThan(before);
                assertThat(bytes("sent", "a")).isEqualTo(100);
                // those of the first are there no more
                old.close();
                assertThat(bytes("sent", "a")).isEqualTo(100);
                young.close();
                assertThat(registry.getMeters()).isEmpty();
            }
        } finally {
            first.close();
        }
    }

    private double sent(String number) {
        return registry.get("jfabric.bytes").tags("direction", "sent", "number", number).functionCounter().count();
    }

    /** Without any tag of the program's: two nodes of one provider, and a node beside its own domain and endpoint. */
    @Test
    void programsMayNumberByThemselves() throws Exception {
        try (Node a = open("shm"); Node b = open("shm")) {
            FabricMetrics.of(a, Tag.of("number", "1")).bindTo(registry);
            int each = registry.getMeters().size();
            FabricMetrics.of(b, Tag.of("number", "2")).bindTo(registry);
            assertThat(registry.getMeters()).hasSize(2 * each);
            exchange(a, b, 1000);
            assertThat(sent("1")).isEqualTo(1000);
            assertThat(sent("2")).isZero();
        }
    }

    @Test
    void nothingTakesThePlaceOfWhatIsOpen() throws Exception {
        try (Node b = open("shm")) {
            Node a = open("shm");
            FabricMetrics<Node> ofA = FabricMetrics.of(a);
            FabricMetrics<Node> ofB = FabricMetrics.of(b);
            FabricMetrics<Domain> ofDomain = FabricMetrics.of(a.domain());
            FabricMetrics<Endpoint> ofEndpoint = FabricMetrics.of(a.endpoint());
            ofA.bindTo(registry);
            int each = registry.getMeters().size();
            ofB.bindTo(registry);
            assertThat(registry.getMeters()).hasSize(2 * each);
            ofDomain.bindTo(registry);
            ofEndpoint.bindTo(registry);
            assertThat(registry.get("jfabric.operations.posted").meters())
                    .extracting(meter -> meter.getId().getTag("object"))
                    .containsExactlyInAnyOrder("node", "node", "domain", "endpoint");
            exchange(a, b, 1000);
            assertThat(sent("1")).isEqualTo(1000);
            assertThat(sent("2")).isZero();
            // not another number because it is bound again
            FabricMetrics.of(a).bindTo(registry);
            assertThat(registry.get("jfabric.operations.posted").functionCounters()).hasSize(4);
            ofDomain.close();
            ofEndpoint.close();
            assertThat(registry.getMeters()).hasSize(2 * each);
            a.close();
            try (Node again = open("shm")) {
                FabricMetrics.of(again).bindTo(registry);
                assertThat(registry.getMeters()).hasSize(2 * each);
                exchange(again, b, 7);
                assertThat(sent("1")).isEqualTo(7);
            }
            ofB.close();
            assertThat(registry.getMeters()).hasSize(each);
        }
    }

    /** An attempt that the provider turns down is counted until it does. */
    @Test
    void countersNeverFall() throws Exception {
        try (Hints hints = Hints.rdm().provider("shm"); FabricInfoList infos = Fabric.getInfo(hints);
                Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            AddressVector addresses = domain.openAddressVector();
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
            Endpoint sender = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).enable();
            Endpoint unread = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).enable();
            FabricMetrics.of(sender, Tag.of("who", "sender")).bindTo(registry);
            long peer = addresses.insert(unread.address());
            MemorySegment memory = Arena.global().allocate(8);
            AtomicBoolean enough = new AtomicBoolean();
            CountDownLatch busy = new CountDownLatch(1);
            FutureTask<Void> retries = new FutureTask<>(() -> {
                while (!enough.get()) {
                    if (!sender.messages().send(memory, peer, 1)) {
                        busy.countDown();
                    }
                }
            }, null);
            Thread.ofPlatform().start(retries);
            try {
                assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
                double last = 0;
                for (int i = 0; i < 20_000; i++) {
                    double now = counted("jfabric.operations.posted", "sender");
                    assertThat(now).isGreaterThanOrEqualTo(last);
                    last = now;
                }
            } finally {
                enough.set(true);
                retries.get(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void callsAreCountedToo() throws Exception {
        try (Node a = open("shm"); Node b = open("shm"); Service service = Service.open(b, 1,
                CallHandler.of(bytes -> bytes)); Caller caller = Caller.open(a.peer(b.address().bytes()), 1)) {
            FabricMetrics.of(a, Tag.of("who", "a")).bindTo(registry);
            FabricMetrics.of(b, Tag.of("who", "b")).bindTo(registry);
            for (int i = 0; i < 100; i++) {
                caller.call(new byte[1000]).get(20, TimeUnit.SECONDS);
            }
            assertThat(service.answered()).isEqualTo(100);
            assertThat(bytes("sent", "a")).isBetween(100_000.0, 120_000.0);
            assertThat(bytes("received", "b")).isBetween(100_000.0, 120_000.0);
            for (String who : new String[] {"a", "b"}) {
                assertThat(measured("jfabric.operations.underway", who)).as("of an idle program").isZero();
                assertThat(measured("jfabric.operations.own", who)).as("receives of calls").isPositive();
            }
        }
    }

    private double calls(String what, String side) {
        return registry.get("jfabric.calls." + what).tags("who", "x", "side", side).functionCounter().count();
    }

    @Test
    void callersAndServicesAreMeasured() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        try (Node a = open("shm"); Node b = open("shm"); Service service = Service.open(b, 1, call -> {
            switch (call.bytes()[0]) {
                case 0 -> call.answer(call.bytes());
                case 1 -> throw new IllegalStateException("as asked");
                default -> free.await();
            }
        }); Caller caller = Caller.open(a.peer(b.address().bytes()), 1,
                CallerOptions.DEFAULT.withWindow(3).withBacklog(1))) {
            FabricMetrics.of(service, Tag.of("who", "x")).bindTo(registry);
            FabricMetrics.of(caller, Tag.of("who", "x")).bindTo(registry);
            for (int i = 0; i < 5; i++) {
                caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
            }
            assertThat(caller.call(new byte[] {1})).failsWithin(20, TimeUnit.SECONDS);
            assertThat(calls("answered", "caller")).isEqualTo(6);
            assertThat(calls("answered", "service")).isEqualTo(6);
            assertThat(registry.get("jfabric.callers").gauge().value()).isEqualTo(1);

            byte[] blocks = {2};
            caller.call(blocks);
            caller.call(blocks);
            CompletableFuture<byte[]> late = caller.call(blocks, Duration.ofMillis(300));
            CompletableFuture<byte[]> waits = caller.call(blocks);
            assertThat(caller.call(blocks)).as("beyond the backlog").isCompletedExceptionally();
            assertThat(registry.get("jfabric.calls.waiting").gauge().value()).isEqualTo(1);
            assertThat(registry.get("jfabric.calls.underway").tag("side", "caller").gauge().value()).isEqualTo(3);
            assertThat(calls("refused", "caller")).isEqualTo(1);
            assertThat(calls("refused", "service")).isZero();
            assertThat(late).failsWithin(20, TimeUnit.SECONDS);
            assertThat(calls("late", "caller")).isEqualTo(1);
            assertThat(waits.cancel(false)).isTrue();
            assertThat(calls("failed", "caller")).isEqualTo(1);
            free.countDown();
        } finally {
            free.countDown();
        }
        assertThat(registry.get("jfabric.calls.waiting").gauge().value()).isZero();
        assertThat(calls("answered", "caller") + calls("failed", "caller")).as("at the end").isBetween(7.0, 9.0);
    }

    @Test
    void keepAlivesAreMeasured() {
        Node b = open("shm");
        try (Node a = open("shm")) {
            KeepAlive.open(b);
            try (KeepAlive alive = KeepAlive.open(a)) {
                FabricMetrics.of(alive, Tag.of("who", "k")).bindTo(registry);
                Peer peer = a.peer(b.address());
                CompletableFuture<Void> ended = alive.watch(peer);
                assertThat(measured("jfabric.peers.watched", "k")).isEqualTo(1);
                assertThat(counted("jfabric.peers.ended", "k")).isZero();
                b.close();
                assertThat(ended).failsWithin(20, TimeUnit.SECONDS);
                assertThat(measured("jfabric.peers.watched", "k")).isZero();
                assertThat(counted("jfabric.peers.ended", "k")).isEqualTo(1);
            }
            try (KeepAlive next = KeepAlive.open(a)) {
                FabricMetrics.of(next, Tag.of("who", "k")).bindTo(registry);
                assertThat(counted("jfabric.peers.ended", "k")).as("of the one in its place").isZero();
            }
        } finally {
            b.close();
        }
    }

    @Test
    void poolsAreMeasured() {
        try (Node a = open("shm")) {
            try (BufferPool pool = BufferPool.open(a.domain(), 1000, 7)) {
                FabricMetrics.of(pool, Tag.of("who", "p")).bindTo(registry);
                try (PooledBuffer _ = pool.tryTake().orElseThrow()) {
                    assertThat(measured("jfabric.pool.taken", "p")).isEqualTo(1);
                }
                assertThat(measured("jfabric.pool.taken", "p")).isZero();
                assertThat(measured("jfabric.pool.buffers", "p")).isEqualTo(7);
            }
            assertThat(measured("jfabric.pool.buffers", "p")).as("once it is closed").isZero();
        }
    }

    @Test
    void poolsThatWereClosedWithTheirDomainAreEmpty() {
        try (Node a = open("shm")) {
            BufferPool pool = BufferPool.open(a.domain(), 1000, 7);
            FabricMetrics.of(pool, Tag.of("who", "p")).bindTo(registry);
            pool.tryTake().orElseThrow();
            assertThat(measured("jfabric.pool.taken", "p")).isEqualTo(1);
        }
        assertThat(measured("jfabric.pool.taken", "p")).isZero();
        assertThat(measured("jfabric.pool.buffers", "p")).isZero();
    }
}
