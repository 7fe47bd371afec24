// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Things done before, or after, their time. */
@Timeout(90)
class OrderTest {
    /** In a JVM of its own: providers drive what is bound to a queue, ready or not. */
    static final class Early {
        private Early() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.valueOf(args[1]));
            try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first())) {
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                Counter counter = counter(domain);
                Endpoint first = bound(domain, infos, queue, counter);
                drive(queue, counter);
                first.enable();
                drive(queue, counter);
                Endpoint second = bound(domain, infos, queue, counter);
                drive(queue, counter);
                second.close();
                drive(queue, counter);
                first.close();
                drive(queue, counter);
            }
            System.out.println("SURVIVED");
        }

        private static Counter counter(Domain domain) {
            try {
                return domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE));
            } catch (FabricException unsupported) {
                return null;
            }
        }

        private static Endpoint bound(Domain domain, FabricInfoList infos, CompletionQueue queue, Counter counter) {
            Endpoint endpoint = domain.openEndpoint(infos.first());
            endpoint.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV);
            try {
                if (counter != null) {
                    endpoint.bind(counter, BindFlag.TRANSMIT);
                }
            } catch (FabricException unsupported) {
                System.out.println(unsupported.getMessage());
            }
            return infos.first().endpoint().type() == EndpointType.MSG
                    ? endpoint.bind(domain.fabric().openEventQueue()) : endpoint.bind(domain.openAddressVector());
        }

        private static void drive(CompletionQueue queue, Counter counter) {
            for (int i = 0; i < 20; i++) {
                queue.poll(completion -> { }, 4);
                if (counter != null) {
                    counter.read();
                    counter.readErrors();
                }
            }
        }
    }

    /** In a JVM of few file descriptors: when none is left, some providers cannot enable an endpoint. */
    static final class Refused {
        private static final int MOST_NEEDED = 3;

        private Refused() {
        }

        public static void main(String[] args) throws IOException {
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.valueOf(args[1]));
            try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first())) {
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                Counter counter = Early.counter(domain);
                Endpoint first = Early.bound(domain, infos, queue, counter);
                first.enable();
                // all classes are loaded: that needs descriptors
                Early.drive(queue, counter);
                System.out.println(FabricException.of("no operation", -1, null).getMessage());
                Early.bound(domain, infos, queue, counter).enable().close();
                for (int left = MOST_NEEDED; left >= 0; left--) {
                    Endpoint endpoint = Early.bound(domain, infos, queue, counter);
                    System.out.println(left + ": " + enable(endpoint, left));
                    Early.drive(queue, counter);
                    endpoint.close();
                    Early.drive(queue, counter);
                }
            }
            System.out.println("SURVIVED");
        }

        private static String enable(Endpoint endpoint, int left) throws IOException {
            Deque<FileInputStream> taken = new ArrayDeque<>();
            try {
                while (true) {
                    taken.push(new FileInputStream("/dev/null"));
                }
            } catch (IOException full) {
                for (int i = 0; i < left; i++) {
                    taken.pop().close();
                }
            }
            try {
                endpoint.enable();
                return "enabled";
            } catch (FabricException none) {
                return none.getMessage() + (endpoint.isOpen() ? "" : " (closed)");
            } finally {
                for (FileInputStream one : taken) {
                    one.close();
                }
            }
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#all")
    void aQueueOutlivesWhatCouldNotBeEnabled(Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(Refused.class, choice.provider(), choice.type().name())
                .prefix("sh", "-c", "ulimit -n 250 && exec \"$0\" \"$@\"").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
        if (choice.provider().equals("shm")) {
            assertThat(result.output()).contains("0: fi_enable: FI_EMFILE", Quirks.of("shm").has(Quirk.NEEDS_A_FILE)
                    ? "the provider would crash" : "the endpoint is closed: open another");
        }
    }

    /** In a JVM of its own: one thread polls the queue that another binds endpoints to. */
    static final class Polled {
        private static final int ENDPOINTS = 30;

        private Polled() {
        }

        public static void main(String[] args) throws InterruptedException {
            Threads.deathEndsTheJvm();
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.valueOf(args[1]));
            try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first())) {
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                Thread poller = Thread.ofPlatform().start(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        queue.poll(completion -> { }, 4);
                    }
                });
                for (int i = 0; i < ENDPOINTS; i++) {
                    Early.bound(domain, infos, queue, null).enable().close();
                }
                poller.interrupt();
                poller.join();
            }
            System.out.println("SURVIVED");
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#all")
    void endpointsAreEnabledWhileOthersPoll(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(Polled.class, choice.provider(), choice.type().name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void queuesMayBePolledAtAnyTime(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(Early.class, choice.provider(), choice.type().name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aFullEndpointTakesReceivesLater(Providers.Choice choice) {
        int firstTagged = 10_000;
        try (Pair pair = Pair.open(choice).connect(); Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(8);
            int posted = 0;
            while (posted < 5000 && pair.a.endpoint.messages().receive(buffer, Address.ANY, posted)) {
                posted++;
            }
            assertThat(posted).isPositive();
            int tagged = 0;
            while (tagged < 5000 && pair.a.endpoint.tagged().receive(buffer, Address.ANY, 1, 0, firstTagged + tagged)) {
                tagged++;
            }
            // tells a full endpoint from one that takes nothing more for ever
            pair.post(() -> pair.b.endpoint.messages().send(buffer, pair.b.peer, -1));
            assertThat(pair.await(pair.a, 0).length()).isEqualTo(8);
            pair.post(() -> pair.a.endpoint.messages().receive(buffer, Address.ANY, -2));
            if (tagged > 0) {
                pair.post(() -> pair.b.endpoint.tagged().send(buffer, pair.b.peer, 1, -3));
                assertThat(pair.await(pair.a, firstTagged).length()).isEqualTo(8);
            } else {
                // both kinds share what there is
                pair.post(() -> pair.b.endpoint.messages().send(buffer, pair.b.peer, -3));
                pair.await(pair.a, 1);
            }
            pair.post(() -> pair.a.endpoint.tagged().receive(buffer, Address.ANY, 1, 0, -4));
            pair.a.endpoint.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void bindingAfterEnableIsExplained(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            assertThatThrownBy(() -> pair.a.endpoint.bind(queue, BindFlag.RECV))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("enabled already, bind before that");
            assertThatThrownBy(() -> pair.a.endpoint.bind(pair.domain.openAddressVector()))
                    .isInstanceOf(IllegalStateException.class);
            Endpoint fresh = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.RECV);
            assertThatThrownBy(() -> fresh.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("for that direction already");
        }
    }

    @Test
    void anEventHasNoBorrowedNumber() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             EventQueue events = fabric.openEventQueue()) {
            for (int type = 1; type <= 6; type++) {
                int number = type;
                assertThatThrownBy(() -> events.write(number, 1, 2)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("type " + number + " is one of libfabric's own");
            }
            events.write(7, fabric, 1, 2);
            assertThat(events.poll()).contains(new FabricEvent.Notify(7, fabric, 1, 2));
        }
    }
}
