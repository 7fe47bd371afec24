// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.trigger.Deferral;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What crashed the sockets provider, now or in a later call, and is refused. */
class SocketsCrashTest {
    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SOCKETS.isOffered(), "sockets is not offered");
    }

    @Test
    void contextsTakeQueuesForTheirOwnDirection() {
        try (FabricInfoList infos = Providers.SOCKETS.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first()); AddressVector addresses = domain.openAddressVector();
             CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
             ScalableEndpoint endpoint = domain.openScalableEndpoint(infos.first()).bind(addresses)) {
            assertThatThrownBy(() -> endpoint.transmitContext(0).bind(queue, BindFlag.RECV))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("leave RECV out");
            assertThatThrownBy(() -> endpoint.receiveContext(0).bind(queue, BindFlag.RECV, BindFlag.TRANSMIT))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("leave TRANSMIT out");
            endpoint.transmitContext(0).bind(queue, BindFlag.TRANSMIT);
        }
    }

    /** It would take others, and count nothing. */
    @Test
    void contextsTakeCountersForTheirOwnDirection() {
        try (FabricInfoList infos = Providers.SOCKETS.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first()); Counter counter = domain.openCounter();
             ScalableEndpoint endpoint = domain.openScalableEndpoint(infos.first())) {
            Endpoint transmits = endpoint.transmitContext(0);
            Endpoint receives = endpoint.receiveContext(0);
            for (BindFlag flag : List.of(BindFlag.RECV, BindFlag.REMOTE_READ, BindFlag.REMOTE_WRITE)) {
                assertThatThrownBy(() -> transmits.bind(counter, BindFlag.TRANSMIT, flag))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("does not receive: leave " + flag + " out");
            }
            for (BindFlag flag : List.of(BindFlag.TRANSMIT, BindFlag.READ, BindFlag.WRITE)) {
                assertThatThrownBy(() -> receives.bind(counter, BindFlag.RECV, flag))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("does not transmit: leave " + flag + " out");
            }
            transmits.bind(counter, BindFlag.TRANSMIT, BindFlag.READ, BindFlag.WRITE);
            receives.bind(domain.openCounter(), BindFlag.RECV, BindFlag.REMOTE_READ, BindFlag.REMOTE_WRITE);
        }
    }

    @Test
    void peekingNeedsAQueue() {
        try (FabricInfoList infos = Providers.SOCKETS.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first()); AddressVector addresses = domain.openAddressVector();
             CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
             Endpoint endpoint = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT).bind(addresses)) {
            TaggedMessages tagged = endpoint.enable().tagged();
            assertThatThrownBy(() -> tagged.peek(Address.ANY, 1, 0, 1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("bind one for RECV");
            assertThatThrownBy(() -> tagged.peekAndClaim(Address.ANY, 1, 0, 1))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void requestsAreAcceptedByEndpointsOnly() {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address());
            try (FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
                 FabricInfo info = request.info().duplicate()) {
                info.endpoint().txContextCount(1).rxContextCount(1);
                assertThatThrownBy(() -> c.domain.openScalableEndpoint(info))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("openEndpoint");
            }
        }
    }

    @Test
    void multiReceivesAreNotCancelled() {
        try (Pair pair = Pair.open(Providers.SOCKETS, hints -> hints.capabilities(Capability.MSG,
                Capability.MULTI_RECV)); Arena arena = Arena.ofShared()) {
            pair.connect();
            Endpoint endpoint = pair.b.endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 1024L);
            assertThat(endpoint.messages().receiveMulti(arena.allocate(4096), Address.ANY, 1)).isTrue();
            assertThat(endpoint.messages().receive(arena.allocate(8), Address.ANY, 2)).isTrue();
            assertThatThrownBy(() -> endpoint.cancel(1)).isInstanceOfSatisfying(FabricException.class,
                    e -> assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("multi-receive");
            assertThat(endpoint.cancel(2)).isTrue();
        }
    }

    @Test
    void transmitContextsHaveNoMinimum() {
        try (FabricInfoList infos = Providers.SOCKETS.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first());
             ScalableEndpoint endpoint = domain.openScalableEndpoint(infos.first())) {
            Endpoint context = endpoint.transmitContext(0);
            assertThatThrownBy(() -> context.setOption(EndpointOption.MIN_MULTI_RECV, 100L))
                    .isInstanceOf(FabricException.class).hasMessageContaining("transmit context");
            assertThatThrownBy(() -> context.option(EndpointOption.MIN_MULTI_RECV))
                    .isInstanceOf(FabricException.class).hasMessageContaining("transmit context");
            endpoint.receiveContext(0).setOption(EndpointOption.MIN_MULTI_RECV, 100L);
            assertThat(endpoint.receiveContext(0).option(EndpointOption.MIN_MULTI_RECV)).isEqualTo(100L);
        }
    }

    /** In a process of its own: what was freed twice ends it. */
    @Test
    void requestsDoNotFreeTheKeyOfTheirListener() {
        ChildJvm.Result result = SharedJvm.run(KeyedListener.class);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    /** Several connection requests to a listener whose info has an authorization key. */
    static final class KeyedListener {
        private KeyedListener() {
        }

        public static void main(String[] args) {
            byte[] key = {1, 2, 3, 4, 5, 6, 7, 8};
            try (Connected c = new Connected(Providers.SOCKETS_MSG); FabricInfo keyed = c.info().duplicate()) {
                c.listener.close();
                keyed.domain().authKey(key);
                PassiveEndpoint listener = c.fabric.openPassiveEndpoint(keyed).bind(c.serverEvents).listen();
                for (int i = 0; i < 3; i++) {
                    Side client = c.client();
                    client.endpoint.connect(listener.address());
                    try (FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
                            FabricInfo copy = request.info().duplicate()) {
                        if (copy.domain().authKey().length != 0) {
                            throw new AssertionError("the key belongs to the listener");
                        }
                        request.reject();
                    }
                    c.clientError();
                    client.endpoint.close();
                }
                if (!Arrays.equals(listener.info().domain().authKey(), key)) {
                    throw new AssertionError("the listener's own key has changed");
                }
                listener.close();
            }
            System.out.println("SURVIVED");
        }
    }

    /** It would lose the connection that the endpoint itself has. */
    @Test
    void aliasesDoNotConnect() {
        try (Connected c = new Connected(Providers.SOCKETS_MSG);
             Endpoint alias = c.client().endpoint.alias(Direction.TRANSMIT, Flags.ofBits(OperationFlag.class, 0));
             EventQueue events = c.fabric.openEventQueue()) {
            assertThatThrownBy(() -> alias.bind(events)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("whole endpoint");
            assertThatThrownBy(() -> alias.connect(c.listener.address())).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Counters of shm are smaller than what sockets takes them for. */
    @Test
    void deferredWorkTakesCountersOfItsDomain() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        try (Pair sockets = Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TRIGGER));
             Pair shm = Pair.open(Providers.SHM, h -> { });
             Counter own = sockets.domain.openCounter(); Counter foreign = shm.domain.openCounter()) {
            Deferral deferral = Deferral.at(own, 1);
            assertThatThrownBy(() -> deferral.set(foreign, 1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another fabric");
            assertThatThrownBy(() -> deferral.completionCounter(foreign)).isInstanceOf(IllegalArgumentException.class);
            assertThat(own.read()).isZero();
        }
    }
}
