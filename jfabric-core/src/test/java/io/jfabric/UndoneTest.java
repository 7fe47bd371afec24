// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.bindings.fi_ops_av;
import io.jfabric.bindings.fi_ops_domain;
import io.jfabric.bindings.fi_ops_eq;
import io.jfabric.bindings.fi_ops_mr;
import io.jfabric.bindings.fi_ops_msg;
import io.jfabric.bindings.fid_av;
import io.jfabric.bindings.fid_domain;
import io.jfabric.bindings.fid_ep;
import io.jfabric.bindings.fid_eq;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the provider refuses the last step of something, what was done before is undone. */
@Timeout(60)
class UndoneTest {
    private final FailingCalls failing = new FailingCalls(Errno.ENOMEM);

    static Stream<Providers.Choice> msg() {
        return Providers.msg();
    }

    static Stream<Providers.Choice> firstBufferAlone() {
        return Providers.offered(Providers.SHM, Providers.SOCKETS);
    }

    private static long fid(FabricObject object) {
        return ((FidObject) object).fid();
    }

    private static MemoryLayout[] longs(int count) {
        MemoryLayout[] all = new MemoryLayout[count];
        Arrays.fill(all, JAVA_LONG);
        return all;
    }

    /** Of two buffers that get a region each. */
    @ParameterizedTest
    @MethodSource("firstBufferAlone")
    void theFirstRegionIsClosedIfThereIsNoSecond(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            FabricArena arena = pair.domain.openArena();
            List<MemorySegment> buffers = List.of(arena.allocate(64), arena.allocate(64));
            failing.function(fid(pair.domain), fid_domain.mr$offset(), fi_ops_mr.regv$offset(), JAVA_INT, longs(9));
            failing.after(1, 1);
            assertThatThrownBy(() -> pair.domain.register(buffers, MemoryAccess.REMOTE_WRITE))
                    .isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOMEM");
            assertThat(failing.failed()).isOne();
            assertThat(pair.domain.statistics().regions()).isZero();
            assertThat(arena.tryClose()).isTrue();
        }
    }

    @Test
    void anAddressThatCouldNotBeRemovedStaysKnown() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            failing.function(fid(pair.a.addresses), fid_av.ops$offset(), fi_ops_av.remove$offset(), JAVA_INT,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
            failing.next(1);
            assertThatThrownBy(() -> pair.a.addresses.remove(pair.a.peer)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ENOMEM");
            pair.connect();
            pair.a.addresses.remove(pair.a.peer);
            assertThat(failing.passed()).isOne();
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void aRequestWhoseEndpointCouldNotBeOpenedCanBeAccepted(Providers.Choice choice) {
        try (Connected connected = new Connected(choice)) {
            Side client = connected.client();
            client.endpoint.connect(connected.listener.address());
            failing.function(fid(connected.domain), fid_domain.ops$offset(), fi_ops_domain.endpoint$offset(), JAVA_INT,
                    longs(4));
            try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) connected.serverEvent()) {
                failing.next(1);
                assertThatThrownBy(() -> connected.open(asked.info(), connected.serverEvents))
                        .isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOMEM");
                Side server = connected.open(asked.info(), connected.serverEvents);
                server.endpoint.enable().accept();
                assertThat(connected.clientEvent()).isInstanceOf(FabricEvent.Connected.class);
            }
        }
    }

    /** Neither is the operation under way. */
    @Test
    void aTriggerWhoseOperationWasRefusedIsUnused() {
        Providers.SOCKETS.assumeOffered();
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SOCKETS,
                h -> h.capabilities(Capability.MSG, Capability.TRIGGER),
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> failing.function(fid(endpoint),
                        fid_ep.msg$offset(), fi_ops_msg.sendmsg$offset(), JAVA_LONG, longs(3)))) {
            Counter counter = pair.domain.openCounter();
            MemorySegment in = arena.allocate(8);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            Trigger trigger = Trigger.at(counter, 1);
            MessageRequest send = pair.a.endpoint.messages().sendRequest().buffers(arena.allocateFrom("one"))
                    .peer(pair.a.peer);
            failing.next(1);
            assertThatThrownBy(() -> trigger.post(send, 2)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ENOMEM");
            FabricArena own = pair.domain.openArena();
            MessageRequest other = pair.a.endpoint.messages().sendRequest().buffers(own.allocate(8)).peer(pair.a.peer);
            failing.next(1);
            assertThatThrownBy(() -> Trigger.at(counter, 1).post(other, 4)).isInstanceOf(FabricException.class);
            assertThat(own.tryClose()).isTrue();
            pair.post(() -> trigger.post(send, 3));
            counter.add(1);
            pair.await(pair.a, 3);
            pair.await(pair.b, 1);
            assertThat(in.getString(0)).isEqualTo("one");
        }
    }

    /** Nobody waits for the events that will not come. */
    @Test
    @SuppressWarnings("deprecation")
    void whatNoEventComesForIsForgotten() throws ReflectiveOperationException {
        Providers.SOCKETS.assumeOffered();
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SOCKETS)) {
            EventQueue events = pair.fabric.openEventQueue(EventQueueAttributes.DEFAULT.withWritable(true));
            AddressVector vector = pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.withAsynchronous(true))
                    .bind(events);
            MemorySegment packed = arena.allocate(16, 8)
                    .copyFrom(MemorySegment.ofArray(pair.a.endpoint.address().bytes()));
            failing.function(fid(vector), fid_av.ops$offset(), fi_ops_av.insert$offset(), JAVA_INT, longs(6));
            failing.function(fid(events), fid_eq.ops$offset(), fi_ops_eq.write$offset(), JAVA_LONG, JAVA_LONG, JAVA_INT,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG);
            failing.next(2);
            assertThatThrownBy(() -> vector.insertAsync(packed, 1, arena.allocate(JAVA_LONG), 1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOMEM");
            assertThatThrownBy(() -> events.write(7, pair.a.endpoint, 2, 3))
                    .isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOMEM");
            assertThat((Map<?, ?>) field(field(events, "sources"), "asked")).isEmpty();
        }
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
