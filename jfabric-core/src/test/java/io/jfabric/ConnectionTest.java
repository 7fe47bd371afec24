// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connect, accept, reject, shut down: what the application sees, and what it may not do. */
class ConnectionTest {
    private static final int REQUESTS = 20;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void dataTravelsWithRequestAndAnswer(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address(), bytes("may I?"));
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            assertThat(request.endpoint()).isSameAs(c.listener);
            assertThat(request.data()).asString(StandardCharsets.UTF_8).isEqualTo("may I?");
            assertThat(request.info().provider()).isEqualTo(choice.provider());

            Side server = c.open(request.info(), c.serverEvents);
            request.close();
            server.endpoint.enable().accept(bytes("you may"));

            FabricEvent.Connected there = (FabricEvent.Connected) c.clientEvent();
            assertThat(there.endpoint()).isSameAs(client.endpoint);
            assertThat(there.data()).asString(StandardCharsets.UTF_8).isEqualTo("you may");
            FabricEvent.Connected here = (FabricEvent.Connected) c.serverEvent();
            assertThat(here.endpoint()).isSameAs(server.endpoint);
            // Fault.ACCEPTED_WITH_GARBAGE
            assertThat(here.data()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void messagesGoOverTheConnection(Providers.Choice choice) {
        try (Connected c = new Connected(choice); Arena arena = Arena.ofConfined()) {
            Side[] sides = c.connect(endpoint -> { });
            MemorySegment out = arena.allocateFrom("over the connection");
            MemorySegment in = arena.allocate(64);
            for (int i = 0; i < 2; i++) {
                Side from = sides[i];
                Side to = sides[1 - i];
                assertThat(to.endpoint.messages().receive(in, Address.ANY, 7)).isTrue();
                assertThat(from.endpoint.messages().send(out, Address.ANY, 8)).isTrue();
                Done received = null;
                Done sent = null;
                long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
                while ((received == null || sent == null) && System.nanoTime() < end) {
                    from.poll();
                    to.poll();
                    received = received == null ? to.take(d -> d.context() == 7) : received;
                    sent = sent == null ? from.take(d -> d.context() == 8) : sent;
                }
                assertThat(sent).isNotNull();
                assertThat(sent.error()).isNull();
                assertThat(received).isNotNull();
                assertThat(received.error()).isNull();
                assertThat(received.length()).isEqualTo(out.byteSize());
                assertThat(in.getString(0)).isEqualTo("over the connection");
                in.fill((byte) 0);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void rejectionCarriesData(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address(), bytes("let me in"));
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            request.reject(bytes("not today"));
            EventException error = c.clientError();
            assertThat(error.error()).isEqualTo(FabricError.ECONNREFUSED);
            assertThat(error.source()).containsSame(client.endpoint);
            assertThat(error.errorData()).asString(StandardCharsets.UTF_8).isEqualTo("not today");

            assertThatThrownBy(() -> request.reject()).isInstanceOf(IllegalStateException.class);
            request.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void tooMuchDataIsRefusedByNameAndChangesNothing(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            int limit = Math.toIntExact(client.endpoint.option(EndpointOption.CM_DATA_SIZE));
            byte[] most = new byte[limit];
            byte[] more = new byte[limit + 1];
            String[] sizes = {(limit + 1) + " bytes", "at most " + limit};
            assertThatThrownBy(() -> client.endpoint.connect(c.listener.address(), more))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fi_connect")
                    .hasMessageContainingAll(sizes);
            client.endpoint.connect(c.listener.address(), most);
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            assertThat(request.data()).hasSize(limit);
            assertThatThrownBy(() -> request.reject(more)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fi_reject").hasMessageContainingAll(sizes);
            Side server = c.open(request.info(), c.serverEvents);
            request.close();
            assertThatThrownBy(() -> server.endpoint.accept(more)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fi_accept").hasMessageContainingAll(sizes);
            server.endpoint.accept(most);
            assertThat(((FabricEvent.Connected) c.clientEvent()).data()).hasSize(limit);
        }
    }

    /** It would take the listener's socket, to which nobody could connect then. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void noEndpointIsOpenedFromAListener(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            assertThatThrownBy(() -> c.domain.openEndpoint(c.info(), c.listener))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("listens");
            c.connect(endpoint -> { });
        }
    }

    @Test
    void aPassiveEndpointBecomesOneEndpoint() {
        assumeTrue(Providers.TCP_MSG.isOffered());
        try (Connected c = new Connected(Providers.TCP_MSG)) {
            PassiveEndpoint passive = c.fabric.openPassiveEndpoint(c.info()).bind(c.serverEvents);
            Address address = passive.address();
            assertThat(c.domain.openEndpoint(c.info(), passive).address()).isEqualTo(address);
            assertThatThrownBy(() -> c.domain.openEndpoint(c.info(), passive))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("another endpoint");
            assertThatThrownBy(passive::listen).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("its socket");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aRequestIsAnsweredOnce(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            c.client().endpoint.connect(c.listener.address());
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            Side server = c.open(request.info(), c.serverEvents);
            assertThatThrownBy(() -> c.domain.openEndpoint(request.info())).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("answered already");
            assertThatThrownBy(() -> request.reject()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> server.endpoint.connect(c.listener.address()))
                    .isInstanceOf(IllegalStateException.class);
            server.endpoint.enable().accept();
            assertThatThrownBy(server.endpoint::accept).isInstanceOf(IllegalStateException.class);
            assertThat(c.clientEvent()).isInstanceOf(FabricEvent.Connected.class);
            request.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aRequestBelongsToItsFabric(Providers.Choice choice) {
        try (Connected c = new Connected(choice); Fabric other = Fabric.open(c.info());
             Domain elsewhere = other.openDomain(c.info())) {
            FabricEvent.ConnectionRequest request = request(c);
            assertThatThrownBy(() -> elsewhere.openEndpoint(request.info()))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another fabric");
            accept(c, request);
            request.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aRequestThatIsClosedIsAnswered(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            FabricEvent.ConnectionRequest request = request(c);
            request.close();
            assertThatThrownBy(request::reject).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("answered already");
            assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
        }
    }

    /** Libfabric has freed the handle of what is accepted, and may give its address to another request. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void anAnsweredRequestIsNotTheNextOne(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            List<FabricEvent.ConnectionRequest> answered = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                FabricEvent.ConnectionRequest next = request(c);
                for (FabricEvent.ConnectionRequest before : answered) {
                    try (FabricInfo copy = before.info().duplicate()) {
                        assertThatThrownBy(() -> c.domain.openEndpoint(copy))
                                .isInstanceOf(IllegalStateException.class).hasMessageContaining("answered already");
                    }
                    assertThatThrownBy(before::reject).isInstanceOf(IllegalStateException.class);
                }
                accept(c, next);
                answered.add(next);
            }
            try (FabricEvent.ConnectionRequest last = request(c)) {
                answered.forEach(FabricEvent.ConnectionRequest::close);
                accept(c, last);
            }
        }
    }

    private static FabricEvent.ConnectionRequest request(Connected c) {
        c.client().endpoint.connect(c.listener.address());
        return (FabricEvent.ConnectionRequest) c.serverEvent();
    }

    private static void accept(Connected c, FabricEvent.ConnectionRequest request) {
        c.open(request.info(), c.serverEvents).endpoint.enable().accept();
        assertThat(c.clientEvent()).isInstanceOf(FabricEvent.Connected.class);
        assertThat(c.serverEvent()).isInstanceOf(FabricEvent.Connected.class);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aRequestThatIsOnlyClosedIsRejected(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            c.client().endpoint.connect(c.listener.address());
            ((FabricEvent.ConnectionRequest) c.serverEvent()).close();
            assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void shutdownReachesBothSides(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address());
            assertThatThrownBy(client.endpoint::shutdown).isInstanceOf(IllegalStateException.class);
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            Side server = c.open(request.info(), c.serverEvents);
            request.close();
            server.endpoint.enable().accept();
            assertThat(c.clientEvent()).isInstanceOf(FabricEvent.Connected.class);
            assertThat(c.serverEvent()).isInstanceOf(FabricEvent.Connected.class);

            server.endpoint.shutdown();
            if (choice.provider().equals("sockets")) {
                // Quirk.SHUTDOWN_CLOSES_TWICE
                assertThat(c.clientEvents.poll()).isEmpty();
                server.endpoint.close();
            }
            assertThat(c.clientEvent()).isEqualTo(new FabricEvent.Shutdown(client.endpoint));
            client.endpoint.shutdown();
            client.endpoint.shutdown();
        }
    }

    /** The answer of tcp goes out when its event queue is read, and before that a message would be taken for it. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void whatIsSentBeforeTheEventArrivesOrIsRefused(Providers.Choice choice) {
        try (Connected c = new Connected(choice); Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(8);
            Side client = c.client();
            assertThat(client.endpoint.messages().receive(memory, Address.ANY, 7)).isTrue();
            client.endpoint.connect(c.listener.address());
            Side server;
            try (FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent()) {
                server = c.open(request.info(), c.serverEvents);
            }
            server.endpoint.enable().accept();
            try {
                assertThat(server.endpoint.messages().send(memory, Address.ANY, 8)).isTrue();
            } catch (IllegalStateException early) {
                assertThat(early).hasMessageContaining("Connected");
                assertThatThrownBy(server.endpoint::shutdown).isInstanceOf(IllegalStateException.class);
                assertThat(c.serverEvent()).isEqualTo(new FabricEvent.Connected(server.endpoint, new byte[0]));
                assertThat(server.endpoint.messages().send(memory, Address.ANY, 8)).isTrue();
            }
            assertThat(c.clientEvent()).isInstanceOf(FabricEvent.Connected.class);
            assertThat(c.await(() -> client.take(done -> done.context() == 7)).error()).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void bothSidesKnowTheirAddresses(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side[] sides = c.connect(endpoint -> { });
            InetSocketAddress listener = c.listener.address().toInetSocketAddress();
            assertThat(listener.getPort()).isNotZero();
            assertThat(sides[0].endpoint.peerAddress().toInetSocketAddress()).isEqualTo(listener);
            for (Address client : List.of(sides[1].endpoint.peerAddress(), sides[0].endpoint.address())) {
                // the system chooses it, of the same device or network
                assertThat(client.toInetSocketAddress().getAddress().getHostAddress())
                        .isEqualTo(choice.isVerbs() ? choice.address() : "127.0.0.1");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void theListenersAddressCanBeSet(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            assertThatThrownBy(() -> c.listener.setAddress(c.listener.address()))
                    .isInstanceOf(IllegalStateException.class);
            try (EventQueue events = c.fabric.openEventQueue();
                 PassiveEndpoint other = c.fabric.openPassiveEndpoint(c.info())) {
                assertThatThrownBy(() -> other.setAddress(Address.of("nowhere")))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not an IP address");
                // of an RDMA device the tests know one address only
                String host = choice.isVerbs() ? choice.address() : "127.0.0.2";
                other.setAddress(Address.of(new InetSocketAddress(host, 0))).bind(events);
                assertThatThrownBy(() -> other.setAddress(c.listener.address()))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("before binding");
                other.listen();
                InetSocketAddress at = other.address().toInetSocketAddress();
                assertThat(at.getAddress().getHostAddress()).isEqualTo(host);
                assertThat(at.getPort()).isNotZero();
                c.client().endpoint.connect(other.address());
                assertThat(c.await(() -> events.poll().orElse(null))).isInstanceOf(
                        FabricEvent.ConnectionRequest.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void theBacklogIsFixedInTheseProviders(Providers.Choice choice) {
        try (Connected c = new Connected(choice);
             PassiveEndpoint other = c.fabric.openPassiveEndpoint(c.info())) {
            try {
                assertThat(other.setBacklog(5)).isSameAs(other);
            } catch (FabricException e) {
                assertThat(e.error()).isEqualTo(FabricError.ENOSYS);
            }
            assertThatThrownBy(() -> other.setBacklog(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void dataBeyondTheLimitIsRefusedBeforeItOverflows(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            byte[] tooMuch = new byte[100_000];
            assertThatThrownBy(() -> c.client().endpoint.connect(c.listener.address(), tooMuch))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at most");
            Side client = c.client();
            client.endpoint.connect(c.listener.address());
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            assertThatThrownBy(() -> request.reject(tooMuch)).isInstanceOf(IllegalArgumentException.class);
            // verbs has not more than the connection manager's messages have room for
            int most = choice.isVerbs() ? 55 : 256;
            request.reject(bytes("x".repeat(most)));
            assertThat(c.clientError().errorData()).asString(StandardCharsets.UTF_8).isEqualTo("x".repeat(most));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void nobodyListens(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Address gone;
            try (EventQueue events = c.fabric.openEventQueue();
                 PassiveEndpoint other = c.fabric.openPassiveEndpoint(c.info())
                         .setAddress(Address.of(new InetSocketAddress(choice.address(), 0))).bind(events).listen()) {
                gone = other.address();
            }
            assertThatThrownBy(() -> {
                c.client().endpoint.connect(gone);
                throw c.clientError();
            }).isInstanceOfSatisfying(FabricException.class,
                    e -> assertThat(e.error()).isEqualTo(FabricError.ECONNREFUSED));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void stepsOutOfOrderAreRefused(Providers.Choice choice) {
        try (Connected c = new Connected(choice); CompletionQueue queue =
                c.domain.openCompletionQueue(CompletionFormat.MSG)) {
            try (FabricInfo info = c.info().duplicate().sourceAddress((Address) null);
                 Endpoint bare = c.domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)) {
                assertThatThrownBy(() -> bare.connect(c.listener.address())).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("bind an event queue");
                bare.bind(c.clientEvents);
                assertThatThrownBy(bare::accept).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(bare::shutdown).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(bare::peerAddress).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> bare.connect(null)).isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> bare.connect(Address.of("nowhere")))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            try (PassiveEndpoint bare = c.fabric.openPassiveEndpoint(c.info())) {
                assertThatThrownBy(bare::listen).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    /** Its info is closed with it, too, but that is not what the program wants to hear of. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void whatIsClosedSaysSoItself(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Endpoint client = c.client().endpoint;
            client.close();
            assertThatThrownBy(() -> client.connect(c.listener.address())).isInstanceOf(IllegalStateException.class)
                    .hasMessage("the endpoint is closed");
            assertThatThrownBy(client::accept).isInstanceOf(IllegalStateException.class)
                    .hasMessage("the endpoint is closed");
            assertThatThrownBy(() -> client.info().provider()).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the endpoint is closed").hasMessageContaining("duplicate()");
            PassiveEndpoint passive = c.fabric.openPassiveEndpoint(c.info());
            passive.close();
            assertThatThrownBy(() -> passive.info().provider()).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the passive endpoint is closed");
            FabricInfo info = c.domain.info();
            c.domain.close();
            assertThatThrownBy(info::provider).hasMessageContaining("the domain is closed");
        }
    }

    /** On sockets it is any address. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aListenerWithoutAnAddressSaysHowToGetOne(Providers.Choice choice) {
        assumeTrue(!choice.isVerbs());
        try (Connected c = new Connected(choice); FabricInfo info = c.info().duplicate()) {
            info.sourceAddress((Address) null);
            try (PassiveEndpoint bare = c.fabric.openPassiveEndpoint(info).bind(c.serverEvents)) {
                if (choice.equals(Providers.TCP_MSG)) {
                    assertThatThrownBy(bare::listen).isInstanceOf(FabricException.class)
                            .hasMessageContainingAll("fi_listen", "no source address", "setAddress before bind");
                } else {
                    assertThat(bare.listen().address().toInetSocketAddress().getPort()).isNotZero();
                }
            }
            try (PassiveEndpoint named = c.fabric.openPassiveEndpoint(info)) {
                named.setAddress(Address.of(new InetSocketAddress(choice.address(), 0))).bind(c.serverEvents).listen();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void theListenersCloseRejectsWhatIsUnanswered(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            c.client().endpoint.connect(c.listener.address());
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            c.listener.close();
            assertThatThrownBy(() -> c.domain.openEndpoint(request.info())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> request.reject()).isInstanceOf(IllegalStateException.class);
            request.close();
        }
    }
}
