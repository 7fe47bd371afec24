// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Loopback;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Unread events of objects that are closed, where others have been opened at their addresses since. */
@Timeout(60)
class ReusedAddressTest {
    private static final int TIMES = 10;
    private static final int NEW = 4;

    private static PassiveEndpoint listen(Connected c) {
        return c.fabric.openPassiveEndpoint(c.info()).setAddress(Address.of(new InetSocketAddress(Loopback.own(), 0)))
                .bind(c.clientEvents).listen();
    }

    /** On sockets, closing a listener takes the events from the queue. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void anEndShutsNobodyElseDown(Providers.Choice choice) throws InterruptedException {
        assumeTrue(!choice.isVerbs(), "its addresses are not those of this machine");
        try (Connected c = new Connected(choice)) {
            for (int i = 0; i < TIMES; i++) {
                Side[] sides = c.connect(endpoint -> { });
                sides[1].endpoint.close();
                // the provider's own thread may have to notice
                Thread.sleep(50);
                listen(c).close();
                sides[0].endpoint.close();
                List<Side> others = new ArrayList<>();
                for (int n = 0; n < NEW; n++) {
                    others.add(c.client());
                }
                for (int n = 0; n < NEW; n++) {
                    c.clientEvents.poll().ifPresent(event -> assertThat(event)
                            .isEqualTo(new FabricEvent.Shutdown(null)));
                }
                others.forEach(other -> other.endpoint.close());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void anInsertionIsOfNoOtherVector(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); EventQueue events = pair.fabric.openEventQueue();
             Arena arena = Arena.ofShared()) {
            byte[] peer = Address.of(new InetSocketAddress("127.0.0.1", 44_000)).bytes();
            assumeTrue(pair.a.endpoint.address().length() == peer.length, "written for IPv4");
            MemorySegment packed = arena.allocate(peer.length, 8).copyFrom(MemorySegment.ofArray(peer));
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            for (int i = 0; i < TIMES; i++) {
                AddressVector closed = vector(pair, events);
                assumeTrue(closed != null, "no asynchronous insertions");
                closed.insertAsync(packed, 1, value, i);
                closed.close();
                List<AddressVector> others = new ArrayList<>();
                for (int n = 0; n < NEW; n++) {
                    others.add(vector(pair, events));
                }
                for (int n = 0; n < NEW; n++) {
                    int context = i;
                    events.poll().ifPresent(event -> assertThat(event)
                            .isEqualTo(new FabricEvent.AddressesInserted(null, context, 1)));
                }
                others.forEach(AddressVector::close);
            }
        }
    }

    @SuppressWarnings("deprecation")
    private static AddressVector vector(Pair pair, EventQueue events) {
        try {
            return pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.withAsynchronous(true)).bind(events);
        } catch (FabricException unsupported) {
            return null;
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aNotificationIsOfNoOtherObject(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             EventQueue events = fabric.openEventQueue(EventQueueAttributes.DEFAULT.withWritable(true))) {
            for (int i = 0; i < TIMES; i++) {
                EventQueue closed = fabric.openEventQueue();
                events.write(7, closed, 1, 2);
                events.write(7, events, 3, 4);
                closed.close();
                try (EventQueue other = fabric.openEventQueue()) {
                    assertThat(events.peek()).contains(new FabricEvent.Notify(7, null, 1, 2));
                    assertThat(events.poll()).contains(new FabricEvent.Notify(7, null, 1, 2));
                    assertThat(events.poll()).contains(new FabricEvent.Notify(7, events, 3, 4));
                    assertThat(other.isOpen()).isTrue();
                }
            }
        }
    }
}
