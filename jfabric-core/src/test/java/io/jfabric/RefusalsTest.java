// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.Direction;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.wait.WaitSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is refused because the provider would not survive it, or never end it. */
@Timeout(90)
class RefusalsTest {
    private final Arena arena = Arena.ofAuto();

    private static void refused(FabricError error, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void readsNothingWhereThatNeverEnds() {
        try (Pair pair = Pair.open(Providers.RXD)) {
            MemorySegment memory = arena.allocate(64);
            RemoteRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_READ).remote();
            Rma rma = pair.a.endpoint.rma();
            refused(FabricError.EOPNOTSUPP, () -> rma.read(memory, 0, 0, pair.a.peer, region, 0, 1));
            RmaRequest request = rma.readRequest().peer(pair.a.peer).range(region, 0, 0);
            refused(FabricError.EOPNOTSUPP, () -> request.post(1));
        }
    }

    @Test
    void injectsByFlagOnlyWhereThatReports() {
        try (Pair pair = Pair.open(Providers.RXD)) {
            MessageRequest request = pair.a.endpoint.messages().sendRequest().buffers(arena.allocate(8))
                    .peer(pair.a.peer).flags(OperationFlag.INJECT);
            refused(FabricError.EOPNOTSUPP, () -> request.post(1));
            Flags<OperationFlag> inject = Flags.of(OperationFlag.INJECT);
            refused(FabricError.EOPNOTSUPP, () -> pair.a.endpoint.setOperationFlags(Direction.TRANSMIT, inject));
            refused(FabricError.EOPNOTSUPP, () -> pair.a.endpoint.alias(Direction.TRANSMIT, inject));
        }
    }

    /** Reads on sockets would take the next operation for their data. */
    @Test
    void sendsNoDataByDefault() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            Flags<OperationFlag> data = Flags.of(OperationFlag.REMOTE_CQ_DATA);
            assertThatThrownBy(() -> pair.a.endpoint.setOperationFlags(Direction.TRANSMIT, data))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("use sendData");
            assertThatThrownBy(() -> pair.a.endpoint.alias(Direction.TRANSMIT, data))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("use sendData");
        }
    }

    @Test
    void fencesNothingWhereThatMayWaitForEver() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            MemorySegment memory = arena.allocate(8);
            Endpoint endpoint = pair.a.endpoint;
            MessageRequest send = endpoint.messages().sendRequest().buffers(memory).peer(pair.a.peer);
            send.flags(OperationFlag.FENCE);
            refused(FabricError.EOPNOTSUPP, () -> send.post(1));
            RemoteRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_READ).remote();
            RmaRequest read = endpoint.rma().readRequest().buffers(arena.allocate(8)).peer(pair.a.peer)
                    .range(region, 0, 8).flags(OperationFlag.FENCE);
            refused(FabricError.EOPNOTSUPP, () -> read.post(1));
            Flags<OperationFlag> fence = Flags.of(OperationFlag.FENCE);
            assertThatThrownBy(() -> endpoint.setOperationFlags(Direction.TRANSMIT, fence)).isNotNull();
            send.flags(OperationFlag.COMPLETION);
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, 7));
            pair.post(() -> send.post(1));
            pair.await(pair.a, 1);
        }
    }

    /** The offset would choose the peer: the first one here, whomever it is for, or none, forever. */
    @Test
    void injectsNoAtomicsWhereThoseGoAstray() {
        try (Pair pair = Pair.open(Providers.RXD, h -> h.capabilities(Capability.MSG, Capability.ATOMIC))) {
            MemorySegment memory = arena.allocate(64, 8);
            RemoteRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE).remote();
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
            Atomics atomics = pair.a.endpoint.atomics();
            for (long offset : new long[] {0, 8}) {
                ThrowingCallable inject = () -> atomics.inject(one, pair.a.peer, region, offset, Datatype.INT64,
                        AtomicOp.SUM);
                refused(FabricError.EOPNOTSUPP, inject);
                assertThatThrownBy(inject).hasMessageContaining("use apply");
                pair.post(() -> atomics.apply(one, pair.a.peer, region, offset, Datatype.INT64, AtomicOp.SUM, 1));
                pair.await(pair.a, 1);
                pair.until("sum", () -> memory.get(ValueLayout.JAVA_LONG, offset) == 1);
            }
        }
    }

    /** A message of another endpoint that came there would end the process. */
    @Test
    void listensWithInfosOfConnectedEndpointsOnly() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            assertThatThrownBy(() -> pair.fabric.openPassiveEndpoint(pair.info))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("EndpointType.MSG");
        }
    }

    @Test
    void bindsAQueueThatWaitsFirst() {
        try (Pair pair = Pair.open(Providers.RXD)) {
            CompletionQueueAttributes attributes = CompletionQueueAttributes.of(CompletionFormat.TAGGED);
            CompletionQueue without = pair.domain.openCompletionQueue(attributes.withWaitObject(WaitObject.NONE));
            CompletionQueue with = pair.domain.openCompletionQueue(attributes.withWaitObject(WaitObject.FD));
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(without, BindFlag.TRANSMIT);
            assertThatThrownBy(() -> endpoint.bind(with, BindFlag.RECV)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("bind the one with a wait object first");
            pair.domain.openEndpoint(pair.info).bind(with, BindFlag.RECV).bind(without, BindFlag.TRANSMIT)
                    .bind(pair.domain.openAddressVector()).enable();
        }
    }

    @Test
    void waitsForCountersThoughAnotherProviderReplacedTheWay() {
        try (Pair rxd = Pair.open(Providers.RXD); Pair rxm = Pair.open(Providers.RXM)) {
            rxd.domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.FD));
            Counter counter = rxm.domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.FD));
            assertThat(counter.await(1, Duration.ofMillis(50))).isFalse();
            counter.add(1);
            assertThat(counter.await(1, Duration.ofSeconds(5))).isTrue();
        }
    }

    @Test
    void opensNoEventQueueThatMissesEvents() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            refused(FabricError.ENOSYS, () -> pair.fabric.openEventQueue(
                    EventQueueAttributes.DEFAULT.withWaitObject(WaitObject.MUTEX_COND)));
        }
    }

    /** An endpoint that it was bound to would take no other. */
    @Test
    @SuppressWarnings("deprecation")
    void opensNoQueueThatCannotBeBound() {
        Providers.UDP.assumeOffered();
        try (Pair pair = Pair.open(Providers.UDP)) {
            CompletionQueueAttributes attributes = CompletionQueueAttributes.of(CompletionFormat.MSG);
            ThrowingCallable open = () -> pair.domain.openCompletionQueue(
                    attributes.withWaitObject(WaitObject.POLLFD));
            refused(FabricError.ENOSYS, open);
            assertThatThrownBy(open).hasMessageContaining("open it with WaitObject.UNSPEC");
            WaitSet set = WaitSet.open(pair.fabric, WaitObject.POLLFD);
            assertThatThrownBy(() -> set.openCompletionQueue(pair.domain, attributes))
                    .hasMessageContaining("with WaitObject.FD");
            CompletionQueue queue = pair.domain.openCompletionQueue(attributes.withWaitObject(WaitObject.UNSPEC));
            pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(pair.domain.openAddressVector()).enable();
        }
    }

    @Test
    @SuppressWarnings("deprecation")
    void opensNothingWhoseEventsBlockTheProvider() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            refused(FabricError.ENOSYS, () -> WaitSet.open(pair.fabric, WaitObject.UNSPEC));
            refused(FabricError.ENOSYS, () -> pair.domain.openCounter(
                    CounterAttributes.DEFAULT.withWaitObject(WaitObject.FD)));
            try (Counter counter = pair.domain.openCounter(CounterAttributes.DEFAULT)) {
                for (int i = 0; i < 2000; i++) {
                    counter.add(1);
                }
                assertThat(counter.read()).isEqualTo(2000);
            }
        }
    }
}
