// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody is connecting while the listener is closed: with tcp the next look at the event queue crashed. */
@Timeout(60)
class ClosedListenerTest {
    private static final int UNREAD = 5;
    private static final int TURNS = 100;

    static Stream<Providers.Choice> tcp() {
        return Providers.offered(Providers.TCP_MSG);
    }

    @ParameterizedTest
    @MethodSource("tcp")
    void whoIsConnectingIsRefused(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(Child.class, choice.provider());
        assertThat(result.output()).contains("refused", "and again", "closed");
        assertThat(result.exitCode()).isZero();
    }

    /** In the events of tcp a number stayed that the listener had no more: whoever got it next was not heard. */
    @ParameterizedTest
    @MethodSource("tcp")
    void theNextOneHears(Providers.Choice choice) throws IOException {
        try (Connected c = new Connected(choice)) {
            SocketChannel below = SocketChannel.open();
            PassiveEndpoint closed = other(c);
            // the next socket gets the lowest number that is free
            below.close();
            closed.close();
            PassiveEndpoint next = other(c);
            c.client().endpoint.connect(next.address());
            try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) c.serverEvent()) {
                assertThat(asked.endpoint()).isSameAs(next);
            }
        }
    }

    static Stream<Providers.Choice> sockets() {
        return Providers.offered(Providers.SOCKETS_MSG);
    }

    /** And whoever else is in the same queue is not. */
    @ParameterizedTest
    @MethodSource("sockets")
    void whoWasNotReadIsRefused(Providers.Choice choice) {
        int before = new File("/proc/self/fd").list().length;
        try (Connected c = new Connected(choice)) {
            PassiveEndpoint other = other(c);
            for (int i = 0; i < UNREAD; i++) {
                c.client().endpoint.connect(c.listener.address());
            }
            Side kept = c.client();
            kept.endpoint.connect(other.address());
            c.listener.close();
            for (int i = 0; i < UNREAD; i++) {
                EventException refusal = c.clientError();
                assertThat(refusal.error()).isEqualTo(FabricError.ECONNREFUSED);
                assertThat(refusal.source().orElse(null)).isNotSameAs(kept.endpoint);
            }
            try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) c.serverEvent()) {
                assertThat(asked.endpoint()).isSameAs(other);
                c.open(asked.info(), c.serverEvents).endpoint.enable().accept();
            }
            assertThat(c.clientEvent()).isInstanceOf(FabricEvent.Connected.class);
        }
        assertThat(new File("/proc/self/fd").list().length).isLessThan(before + UNREAD);
    }

    /** Nobody reads the queue any more, into which the requests have come, or are about to. */
    @ParameterizedTest
    @MethodSource("tcp")
    void whoWasNotReadIsRefusedWithTheQueue(Providers.Choice choice) {
        int before = new File("/proc/self/fd").list().length;
        try (Connected c = new Connected(choice)) {
            try (Fabric server = Fabric.open(c.info())) {
                EventQueue events = server.openEventQueue();
                PassiveEndpoint listener = server.openPassiveEndpoint(c.info()).setAddress(anyPort(c)).bind(events)
                        .listen();
                for (int i = 0; i < UNREAD; i++) {
                    c.client().endpoint.connect(listener.address());
                }
                c.await(() -> events.peek().orElse(null));
                for (int i = 0; i < TURNS; i++) {
                    c.clientEvents.poll();
                    events.peek();
                }
            }
            for (int i = 0; i < UNREAD; i++) {
                assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
            }
        }
        assertThat(new File("/proc/self/fd").list().length).isLessThan(before + UNREAD);
    }

    private static Address anyPort(Connected c) {
        return Address.of(new InetSocketAddress(c.listener.address().toInetSocketAddress().getAddress(), 0));
    }

    private static PassiveEndpoint other(Connected c) {
        return c.fabric.openPassiveEndpoint(c.info()).setAddress(anyPort(c)).bind(c.serverEvents).listen();
    }

    static Stream<Providers.Choice> unconnected() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM);
    }

    /** Each endpoint has a listener of its own. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("unconnected")
    void anEndpointIsClosedWhileAnotherConnects(Providers.Choice choice) {
        // ofi_rxm clears 16 MiB of buffers for each endpoint otherwise, most of the time that this takes
        ChildJvm.Result result = ChildJvm.of(Unconnected.class, choice.provider())
                .environment("FI_OFI_RXM_BUFFER_SIZE", "1024").run();
        assertThat(result.output()).contains("closed");
        assertThat(result.exitCode()).isZero();
    }

    /** A process that would crash. */
    static final class Unconnected {
        private static final int TIMES = 200;
        private static final int MOST = 10;

        private Unconnected() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = new Providers.Choice(args[0], Providers.TCP_RDM.type());
            try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG));
                    Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
                MemorySegment memory = domain.openArena().allocate(8);
                for (int i = 0; i < TIMES; i++) {
                    Side asks = open(domain, infos.first());
                    Side closes = open(domain, infos.first());
                    long peer = asks.addresses.insert(closes.endpoint.address());
                    // in any of the steps that it takes to be connected
                    for (int step = 0; step < i % MOST; step++) {
                        asks.endpoint.messages().send(memory, peer, 1);
                    }
                    closes.endpoint.close();
                    for (int step = 0; step < MOST; step++) {
                        asks.endpoint.messages().send(memory, peer, 1);
                        asks.poll();
                    }
                    asks.endpoint.close();
                }
            }
            System.out.println("closed");
        }

        private static Side open(Domain domain, FabricInfo info) {
            AddressVector addresses = domain.openAddressVector();
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
            return new Side(domain.openEndpoint(info).bind(addresses)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).enable(), queue, addresses);
        }
    }

    /** A process that would crash. */
    static final class Child {
        private static final int LISTENERS = 20;

        private Child() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = new Providers.Choice(args[0], Providers.TCP_MSG.type());
            try (Connected c = new Connected(choice)) {
                Address first = c.listener.address();
                closeUnderARequest(c, c.listener);
                System.out.println("refused");
                // the port is free, and may be listened at again
                for (int i = 0; i < LISTENERS; i++) {
                    closeUnderARequest(c, c.fabric.openPassiveEndpoint(c.info()).setAddress(first)
                            .bind(c.serverEvents).listen());
                }
                System.out.println("and again");
            }
            System.out.println("closed");
        }

        /** The connection is there, but the client has not said yet what it wants. */
        private static void closeUnderARequest(Connected c, PassiveEndpoint listener) {
            Side client = c.client();
            client.endpoint.connect(listener.address());
            for (int i = 0; i < 100; i++) {
                c.serverEvents.poll();
            }
            listener.close();
            EventException refusal = c.clientError();
            if (refusal.error() != FabricError.ECONNREFUSED) {
                throw new AssertionError("not refused", refusal);
            }
            client.endpoint.close();
        }
    }
}
