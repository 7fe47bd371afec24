// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.internal.endpoint.SharedReceiveContextImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.Direction;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shared transmit and receive contexts. */
class SharedContextTest {
    private static final int SENDERS = 2;
    private static final Providers.Choice NET = new Providers.Choice("net", EndpointType.MSG);

    private static void sharedReceive(Hints hints) {
        hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT);
    }

    private static void sharedTagged(Hints hints) {
        sharedReceive(hints);
        hints.capabilities(Capability.MSG, Capability.TAGGED);
    }

    private static void sharedTransmit(Hints hints) {
        hints.endpoint().txContextCount(EndpointAttributes.SHARED_CONTEXT);
    }

    private static Done await(Side side, List<Side> all) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (System.nanoTime() < end) {
            all.forEach(Side::poll);
            Done done = side.take(d -> true);
            if (done != null) {
                assertThat(done.error()).isNull();
                return done;
            }
        }
        throw new AssertionError("no completion");
    }

    /** On tcp and sockets: one pool of buffers behind two connections. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void connectionsShareReceiveBuffers(Providers.Choice choice) {
        try (Connected c = new Connected(choice, SharedContextTest::sharedReceive);
             Arena arena = Arena.ofConfined()) {
            SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
            List<Side> servers = new ArrayList<>();
            List<Side> clients = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                Side[] sides = c.connect(endpoint -> endpoint.bind(shared));
                clients.add(sides[0]);
                servers.add(sides[1]);
            }
            List<Side> all = new ArrayList<>(servers);
            all.addAll(clients);
            MemorySegment[] in = new MemorySegment[SENDERS];
            for (int i = 0; i < SENDERS; i++) {
                in[i] = arena.allocate(32);
                assertThat(shared.messages().receive(in[i], Address.ANY, 70 + i)).isTrue();
            }
            // tcp has none of its own, and sockets would never look at them
            assertThatThrownBy(() -> servers.getFirst().endpoint.messages().receive(in[0], Address.ANY, 1))
                    .hasMessageContaining("shared receive context");
            for (int i = 0; i < SENDERS; i++) {
                // the last connection first: buffers belong to no connection
                int sender = SENDERS - 1 - i;
                assertThat(clients.get(sender).endpoint.messages().send(arena.allocateFrom("from " + sender),
                        Address.ANY, 9)).isTrue();
                Done received = await(servers.get(sender), all);
                assertThat(received.context()).isEqualTo(70 + i);
                assertThat(in[i].getString(0)).isEqualTo("from " + sender);
                await(clients.get(sender), all);
            }
            assertThatThrownBy(shared::close).isInstanceOf(FabricException.class).hasMessageContaining("EBUSY");
            all.forEach(side -> side.endpoint.close());
            shared.close();
        }
    }

    /** A buffer for several messages would overflow with those that came before it. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void severalMessagesAreNoDefaultWhereThatIsNotSafe(Providers.Choice choice) {
        Quirks quirks = Quirks.of(choice.provider());
        assumeTrue(quirks.hasAny(Quirk.MULTI_RECEIVE_OVERRUNS, Quirk.MULTI_RECEIVE_OVERRUNS_IN_RXM));
        try (FabricInfoList infos = choice.find(SharedContextTest::sharedReceive);
             FabricInfo info = infos.first().duplicate(); Fabric fabric = Fabric.open(info);
             Domain domain = fabric.openDomain(info)) {
            info.rx().operationFlags(OperationFlag.MULTI_RECV);
            assertThatThrownBy(() -> domain.openSharedReceiveContext(info)).hasMessageContaining("receiveMulti");
        }
    }

    /** libfabric 2's tcp counted the first as used for ever: neither it nor the domain could be closed. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aSharedContextHasOneCounter(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(SharedContextTest::sharedReceive);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            List<Counter> counters = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                try {
                    counters.add(domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE)));
                } catch (FabricException none) {
                    assumeTrue(false, choice + " has no counters");
                }
            }
            SharedReceiveContext shared = domain.openSharedReceiveContext(infos.first());
            try {
                shared.bind(counters.getFirst());
            } catch (FabricException refused) {
                assumeTrue(false, choice + " counts nothing for it");
            }
            assertThatThrownBy(() -> shared.bind(counters.getLast())).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has a counter for that already");
            shared.close();
            counters.forEach(Counter::close);
            assertThat(counters).noneMatch(Counter::isOpen);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void anEndpointHasOneCounterForEachOperation(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Endpoint endpoint = pair.domain.openEndpoint(pair.info);
            Counter first = pair.domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE));
            endpoint.bind(first, BindFlag.TRANSMIT);
            assertThatThrownBy(() -> endpoint.bind(first, BindFlag.RECV, BindFlag.TRANSMIT))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("has a counter for that already");
            endpoint.close();
            first.close();
            assertThat(first.isOpen()).isFalse();
        }
    }

    /** On sockets: two endpoints receive with one context. */
    @Test
    void datagramEndpointsShareReceives() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS.find(SharedContextTest::sharedReceive);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             Arena arena = Arena.ofConfined()) {
            AddressVector addresses = domain.openAddressVector();
            SharedReceiveContext receive = domain.openSharedReceiveContext(infos.first());
            List<Side> sides = new ArrayList<>();
            long[] peers = new long[SENDERS];
            for (int i = 0; i < SENDERS; i++) {
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                Endpoint endpoint = domain.openEndpoint(infos.first())
                        .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses);
                assertThatThrownBy(endpoint::enable).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("SharedReceiveContext");
                endpoint.bind(receive).enable();
                assertThatThrownBy(() -> endpoint.bind(receive)).isInstanceOf(IllegalStateException.class);
                bindsNoMore(endpoint, receive);
                peers[i] = addresses.insert(endpoint.address());
                sides.add(new Side(endpoint, queue, addresses));
            }
            for (int i = 0; i < SENDERS; i++) {
                MemorySegment in = arena.allocate(32);
                assertThat(receive.tagged().receive(in, Address.ANY, 4, 0, 40 + i)).isTrue();
                Side from = sides.get(i);
                Side to = sides.get(1 - i);
                assertThat(from.endpoint.tagged().send(arena.allocateFrom("hello " + i), peers[1 - i], 4, 50 + i))
                        .isTrue();
                List<Long> contexts = List.of(await(from, sides).context(), await(to, sides).context());
                assertThat(contexts).containsExactly(50L + i, 40L + i);
                assertThat(in.getString(0)).isEqualTo("hello " + i);
            }
        }
    }

    static Stream<Providers.Choice> sockets() {
        return Providers.offered(Providers.SOCKETS, Providers.SOCKETS_DGRAM, Providers.SOCKETS_MSG);
    }

    /** Whoever sends by one dies with its peer, or when an endpoint is closed that has sent by it. */
    @ParameterizedTest
    @MethodSource("sockets")
    void socketsHasNoSharedTransmitContexts(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(SharedContextTest::sharedTransmit);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            assertThatThrownBy(() -> domain.openSharedTransmitContext(infos.first()))
                    .isInstanceOfSatisfying(FabricException.class,
                            refused -> assertThat(refused.error()).isEqualTo(FabricError.ENOSYS))
                    .hasMessageContaining("fi_stx_context").hasMessageContaining("txContextCount");
        }
    }

    /** An alias has none of its own, but what is bound to it is bound to the endpoint. */
    private static void bindsNoMore(Endpoint endpoint, SharedReceiveContext receive) {
        try (Endpoint alias = endpoint.alias(Direction.RECEIVE, Flags.of(OperationFlag.COMPLETION))) {
            assertThatThrownBy(() -> alias.bind(receive)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is enabled already");
        }
    }

    @Test
    void nothingIsCancelledWhereNothingIsPosted() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS.find(SharedContextTest::sharedReceive);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            try (SharedReceiveContext shared = domain.openSharedReceiveContext(infos.first())) {
                assertThat(shared.cancel(1)).isFalse();
                assertThat(shared.isOpen()).isTrue();
                assertThatThrownBy(() -> shared.messages().receive(MemorySegment.ofArray(new byte[8]), Address.ANY, 1))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(shared).hasToString(((SharedReceiveContextImpl) shared).endpoint().toString());
                assertThat(shared.messages().receiveRequest().owner()).isSameAs(shared);
            }
        }
    }

    /** With what has become tcp's code. */
    static Stream<Providers.Choice> connected() {
        return Stream.concat(Providers.msg(), Providers.offered(NET));
    }

    /** What tcp does not survive. */
    @ParameterizedTest
    @MethodSource("connected")
    void aReceiveIsCancelledOrThatIsRefused(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(SharedContextTest::sharedReceive);
                Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
                SharedReceiveContext shared = domain.openSharedReceiveContext(infos.first());
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                EventQueue events = fabric.openEventQueue(EventQueueAttributes.DEFAULT);
                Endpoint endpoint = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(events).bind(shared).enable()) {
            assertThat(shared.cancel(1)).isFalse();
            FabricArena memory = domain.openArena();
            assertThat(shared.messages().receive(memory.allocate(8, 8), Address.ANY, 1)).isTrue();
            if (Quirks.of(choice.provider()).has(Quirk.SHARED_CANCEL)) {
                assertThatThrownBy(() -> shared.cancel(1)).isInstanceOfSatisfying(FabricException.class,
                        refused -> assertThat(refused.error()).isEqualTo(FabricError.ENOSYS));
            } else {
                // sockets has no queue to report it to
                assertThat(shared.cancel(1)).isTrue();
                assertThat(domain.statistics().operations().underWay()).isZero();
                assertThat(memory.tryClose()).as("the memory is free").isTrue();
                assertThat(shared.cancel(1)).as("again").isFalse();
            }
            assertThat(endpoint.cancel(1)).as("it is not the endpoint's").isFalse();
            assertThat(shared.isOpen()).isTrue();
        } catch (FabricException none) {
            assumeTrue(none.error() != FabricError.ENOSYS && none.error() != FabricError.ENODATA, none.getMessage());
            throw none;
        }
    }

    static Stream<Providers.Choice> lookingForPeers() {
        return Known.since(new Version(1, 18)) ? Providers.offered(Providers.TCP_MSG) : Providers.offered(NET);
    }

    /** The receiver's tcp, from 1.18 on and net before, looks for its peer where only unconnected endpoints have it. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("lookingForPeers")
    void connectionsOfTcpCarryNoTags(Providers.Choice choice) {
        try (Connected c = new Connected(choice, SharedContextTest::sharedTagged);
             Arena arena = Arena.ofConfined()) {
            SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
            MemorySegment buffer = arena.allocate(8);
            Side client = c.connect(endpoint -> endpoint.bind(shared))[0];
            carriesNoTags(() -> client.endpoint.tagged().send(buffer, Address.ANY, 1, 1));
            carriesNoTags(() -> client.endpoint.tagged().sendRequest().buffers(buffer).post(1));
            carriesNoTags(() -> shared.tagged().receive(buffer, Address.ANY, 1, 0, 1));
            assertThat(client.endpoint.messages().send(buffer, Address.ANY, 1)).isTrue();
        }
    }

    private static void carriesNoTags(ThrowingCallable operation) {
        assertThatThrownBy(operation).isInstanceOfSatisfying(FabricException.class,
                refused -> assertThat(refused.error()).isEqualTo(FabricError.EOPNOTSUPP))
                .hasMessageContaining("tagged message").hasMessageContaining("FI_EP_RDM");
    }

    // On endpoints that are enabled: rxm of 1.17 crashes when one is closed that nothing was ever bound to.
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void ordinaryEndpointsRefuseSharedContexts(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Domain domain = pair.domain;
            Endpoint endpoint = pair.a.endpoint;
            try (SharedReceiveContext shared = domain.openSharedReceiveContext(pair.info)) {
                assertThatThrownBy(() -> endpoint.bind(shared)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("SHARED_CONTEXT");
            } catch (FabricException e) {
                assertThat(e.error()).isEqualTo(FabricError.ENOSYS);
                assertThat(choice).isNotIn(Providers.SOCKETS, Providers.SOCKETS_DGRAM);
            }
            try (SharedTransmitContext shared = domain.openSharedTransmitContext(pair.info)) {
                assertThatThrownBy(() -> endpoint.bind(shared)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("SHARED_CONTEXT");
            } catch (FabricException e) {
                assertThat(e.error()).isEqualTo(FabricError.ENOSYS);
            }
        }
    }
}
