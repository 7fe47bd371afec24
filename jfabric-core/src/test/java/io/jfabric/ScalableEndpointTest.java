// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scalable endpoints: sockets has them, everybody else says no. */
class ScalableEndpointTest {
    private static final int CONTEXTS = 3;
    private static final int BITS = 2;

    /** One scalable endpoint with a queue for each context. */
    private static final class Node {
        final ScalableEndpoint endpoint;
        final AddressVector addresses;
        final List<Side> transmit = new ArrayList<>();
        final List<Side> receive = new ArrayList<>();

        Node(Domain domain, FabricInfo info) {
            addresses = domain.openAddressVector(
                    AddressVectorAttributes.DEFAULT.withReceiveContextBits(BITS));
            endpoint = domain.openScalableEndpoint(info).bind(addresses).enable();
            for (int i = 0; i < CONTEXTS; i++) {
                CompletionQueue sent = domain.openCompletionQueue(CompletionFormat.TAGGED);
                transmit.add(new Side(endpoint.transmitContext(i).bind(sent, BindFlag.TRANSMIT).enable(), sent,
                        addresses));
                CompletionQueue received = domain.openCompletionQueue(CompletionFormat.TAGGED);
                receive.add(new Side(endpoint.receiveContext(i).bind(received, BindFlag.RECV).enable(), received,
                        addresses));
            }
        }
    }

    private static void counts(Hints hints) {
        hints.endpoint().txContextCount(CONTEXTS).rxContextCount(CONTEXTS);
        hints.domain().limits().maxEndpointTxContexts(CONTEXTS).maxEndpointRxContexts(CONTEXTS);
    }

    @Test
    void eachReceiveContextGetsItsOwnMessages() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS.find(ScalableEndpointTest::counts);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             Arena arena = Arena.ofConfined()) {
            assertThat(infos.first().endpoint().txContextCount()).isGreaterThanOrEqualTo(CONTEXTS);
            Node a = new Node(domain, infos.first());
            Node b = new Node(domain, infos.first());
            long peer = a.addresses.insert(b.endpoint.address());
            for (int i = 0; i < CONTEXTS; i++) {
                MemorySegment in = arena.allocate(32);
                Side to = b.receive.get(i);
                assertThat(to.endpoint.tagged().receive(in, Address.ANY, 5, 0, i)).isTrue();
                Side from = a.transmit.get(CONTEXTS - 1 - i);
                long destination = AddressVector.receiveContextAddress(peer, i, BITS);
                MemorySegment out = arena.allocateFrom("to context " + i);
                Waits.spin("it is sent", () -> from.endpoint.tagged().send(out, destination, 5, 100));
                Done[] done = new Done[1];
                Waits.spin("all have come", () -> {
                    a.transmit.forEach(Side::poll);
                    b.receive.forEach(Side::poll);
                    done[0] = done[0] == null ? to.take(d -> true) : done[0];
                    return done[0] != null && from.take(d -> d.context() == 100) != null;
                });
                assertThat(done[0].context()).isEqualTo(i);
                assertThat(done[0].error()).isNull();
                assertThat(in.getString(0)).isEqualTo("to context " + i);
            }
            assertThat(b.receive).allSatisfy(side -> assertThat(side.done()).isEmpty());
        }
    }

    @Test
    void contextsAreOpenedOnce() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS.find(ScalableEndpointTest::counts);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             AddressVector addresses = domain.openAddressVector();
             ScalableEndpoint endpoint = domain.openScalableEndpoint(infos.first()).bind(addresses)) {
            Endpoint first = endpoint.transmitContext(0);
            assertThat(endpoint.transmitContext(0)).isSameAs(first);
            assertThat(first).hasToString("transmit context@0x" + Long.toHexString(((EndpointImpl) first).fid()));
            // the provider would go on using it
            assertThatThrownBy(first::close).isInstanceOfSatisfying(FabricException.class,
                    e -> assertThat(e.error()).isEqualTo(FabricError.EBUSY));
            assertThat(endpoint.enable().transmitContext(0)).isSameAs(first);
            assertThatThrownBy(() -> endpoint.transmitContext(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> endpoint.receiveContext(10_000)).isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("receive context 10000");
            assertThatThrownBy(() -> first.messages().send(MemorySegment.NULL, 0, 0))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /** One that is gone would be followed by the next poll or enable. */
    @Test
    void contextsCloseTogetherOrNotAtAll() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS.find(hints -> {
            counts(hints);
            hints.addCapabilities(Capability.MSG, Capability.TRIGGER);
        }); Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            Node node = new Node(domain, infos.first());
            Counter counter = domain.openCounter();
            long self = node.addresses.insert(node.endpoint.address());
            MessageRequest send = node.transmit.getFirst().endpoint.messages().sendRequest()
                    .buffers(domain.openArena().allocate(8)).peer(self);
            assertThat(Trigger.at(counter, 5).post(send, 1)).isTrue();
            for (int round = 0; round < 2; round++) {
                assertThatThrownBy(node.endpoint::close).isInstanceOfSatisfying(FabricException.class,
                        e -> assertThat(e.error()).isEqualTo(FabricError.EBUSY)).hasMessageContaining("reaches 5");
                assertThat(Stream.concat(node.transmit.stream(), node.receive.stream()))
                        .allMatch(side -> side.endpoint.isOpen()).hasSize(2 * CONTEXTS);
                // it is not about to be closed
                assertThatThrownBy(node.receive.getLast().endpoint::close).isInstanceOf(FabricException.class)
                        .hasMessageContaining("close the scalable endpoint");
            }
            counter.close();
            node.endpoint.close();
            assertThat(node.transmit).noneMatch(side -> side.endpoint.isOpen());
        }
    }

    @Test
    void aScalableEndpointIsEnabledOnce() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS.find(ScalableEndpointTest::counts);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            ScalableEndpoint endpoint = new Node(domain, infos.first()).endpoint;
            assertThatThrownBy(endpoint::enable).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("enabled already");
        }
    }

    @Test
    void contextsOfScalableEndpointsAreTheirOwn() {
        try (FabricInfoList infos = Providers.SOCKETS.find(ScalableEndpointTest::counts);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             FabricInfo shared = infos.first().duplicate()) {
            shared.endpoint().txContextCount(EndpointAttributes.SHARED_CONTEXT);
            assertThatThrownBy(() -> domain.openScalableEndpoint(shared)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("contexts of its own");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void othersSayNo(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            if (choice.provider().equals("sockets")) {
                domain.openScalableEndpoint(infos.first()).close();
            } else {
                assertThatThrownBy(() -> domain.openScalableEndpoint(infos.first()))
                        .isInstanceOfSatisfying(FabricException.class, e -> {
                            assertThat(e.operation()).isEqualTo("fi_scalable_ep");
                            assertThat(e.error()).isEqualTo(FabricError.ENOSYS);
                        });
            }
        }
    }
}
