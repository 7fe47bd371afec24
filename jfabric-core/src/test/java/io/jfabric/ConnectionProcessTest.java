// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Loopback;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A connection between two processes, each of which blocks in its event and completion queues. */
@Tag("long")
class ConnectionProcessTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void theServerAnswersAndHangsUp(Providers.Choice choice) {
        try (ChildJvm server = ChildJvm.of(Server.class, choice.provider()).start();
             Arena arena = Arena.ofConfined()) {
            String line = server.awaitLine(text -> text.startsWith("at "));
            Address peer = Address.of(line.substring("at ".length()));
            try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first()); EventQueue events = fabric.openEventQueue();
                 CompletionQueue queue = openQueue(domain)) {
                try (Endpoint rejected = open(domain, infos.first(), queue, events).enable()) {
                    rejected.connect(peer, "no".getBytes(StandardCharsets.UTF_8));
                    EventException error = assertThrows(EventException.class,
                            () -> events.await(DEADLINE));
                    assertThat(error.errorData()).asString(StandardCharsets.UTF_8).isEqualTo("no is no password");
                }
                Endpoint endpoint = open(domain, infos.first(), queue, events).enable();
                MemorySegment buffer = arena.allocate(64);
                assertThatThrownBy(events::close).isInstanceOf(FabricException.class).hasMessageContaining("EBUSY");
                assertThat(endpoint.messages().receive(buffer, Address.ANY, 1)).isTrue();
                endpoint.connect(peer, "sesame".getBytes(StandardCharsets.UTF_8));
                FabricEvent.Connected connected = (FabricEvent.Connected) events.await(DEADLINE).orElseThrow();
                assertThat(connected.data()).asString(StandardCharsets.UTF_8).isEqualTo("open");
                MemorySegment knock = arena.allocateFrom("knock");
                Waits.spin("the knock is sent", () -> {
                    queue.poll(c -> { }, 1);
                    return endpoint.messages().send(knock, Address.ANY, 2);
                });
                await(queue, 2);
                assertThat(buffer.getString(0)).isEqualTo("knock, knock");
                assertThat(server.await().output()).contains("hung up");
                endpoint.close();
            }
        }
    }

    private static CompletionQueue openQueue(Domain domain) {
        return domain.openCompletionQueue(CompletionQueueAttributes.of(CompletionFormat.MSG)
                .withWaitObject(WaitObject.UNSPEC));
    }

    private static Endpoint open(Domain domain, FabricInfo info, CompletionQueue queue, EventQueue events) {
        try (FabricInfo anyPort = info.duplicate()) {
            if (anyPort.handle() == 0) {
                anyPort.sourceAddress((Address) null);
            }
            return domain.openEndpoint(anyPort).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(events);
        }
    }

    private static void await(CompletionQueue queue, int count) {
        for (int done = 0; done < count;) {
            int n = queue.await(c -> { }, 1, DEADLINE);
            assertThat(n).isPositive();
            done += n;
        }
    }

    static final class Server {
        private Server() {
        }

        public static void main(String[] args) {
            try (Hints hints = Hints.create().provider(args[0]).endpointType(EndpointType.MSG);
                 FabricInfoList infos = Fabric.getInfo(Loopback.own(), null, Set.of(GetInfoFlag.SOURCE), hints);
                 Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
                 EventQueue events = fabric.openEventQueue(); CompletionQueue queue = openQueue(domain);
                 Arena arena = Arena.ofConfined();
                 PassiveEndpoint listener = fabric.openPassiveEndpoint(infos.first()).bind(events).listen()) {
                System.out.println("at " + listener.address());
                FabricEvent.ConnectionRequest wrong = request(events);
                wrong.reject((new String(wrong.data(), StandardCharsets.UTF_8) + " is no password")
                        .getBytes(StandardCharsets.UTF_8));
                Endpoint endpoint;
                MemorySegment buffer = arena.allocate(64);
                try (FabricEvent.ConnectionRequest right = request(events)) {
                    endpoint = open(domain, right.info(), queue, events).enable();
                }
                endpoint.messages().receive(buffer, Address.ANY, 1);
                endpoint.accept("open".getBytes(StandardCharsets.UTF_8));
                if (!(events.await(DEADLINE).orElseThrow() instanceof FabricEvent.Connected)) {
                    throw new AssertionError("not connected");
                }
                await(queue, 1);
                endpoint.messages().send(arena.allocateFrom(buffer.getString(0) + ", knock"), Address.ANY, 2);
                await(queue, 1);
                endpoint.shutdown();
                endpoint.close();
                System.out.println("hung up");
            }
        }

        private static FabricEvent.ConnectionRequest request(EventQueue events) {
            return (FabricEvent.ConnectionRequest) events.await(DEADLINE).orElseThrow();
        }
    }
}
