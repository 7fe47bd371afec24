// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.AtomicRequest;
import io.jfabric.Counter;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.MessageRequest;
import io.jfabric.RemoteRegion;
import io.jfabric.RmaRequest;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EndpointOption;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Triggered operations on sockets, the only provider here that has them. */
class TriggeredOperationsTest {
    private static Pair open() {
        Providers.SOCKETS.assumeOffered();
        return Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA, Capability.ATOMIC, Capability.TRIGGER));
    }

    private static MessageRequest send(Pair pair, MemorySegment buffer) {
        return pair.a.endpoint.messages().sendRequest().buffers(buffer).peer(pair.a.peer);
    }

    private static AtomicRequest atomic(Pair pair, AtomicForm form, AtomicOp op, MemoryRegion region, long offset,
            MemorySegment operand) {
        return pair.a.endpoint.atomics().request(form, Datatype.INT64, op).buffers(operand).peer(pair.a.peer)
                .target(region.remote(), offset, operand.byteSize());
    }

    /** Long enough for an operation that did not wait to show. */
    private static void aWhile(Pair pair) {
        LockSupport.parkNanos(20_000_000);
        pair.progress();
    }

    @Test
    void sendsStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            MemorySegment in = arena.allocate(16);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> pair.b.endpoint.tagged().receive(in.asSlice(8), Address.ANY, 4, 0, 2));
            Trigger one = Trigger.at(counter, 1);
            pair.post(() -> one.post(send(pair, arena.allocateFrom("one")), 11));
            pair.post(() -> Trigger.at(counter, 2).post(pair.a.endpoint.tagged().sendRequest()
                    .buffers(arena.allocateFrom("two")).peer(pair.a.peer).tag(4), 12));
            aWhile(pair);
            assertThat(pair.b.done()).isEmpty();
            counter.add(1);
            pair.await(pair.b, 1);
            pair.await(pair.a, 11);
            aWhile(pair);
            assertThat(pair.b.done()).isEmpty();
            counter.add(1);
            pair.await(pair.b, 2);
            pair.await(pair.a, 12);
            assertThat(in.getString(0)).isEqualTo("one");
            assertThat(in.getString(8)).isEqualTo("two");
            assertThatThrownBy(() -> one.post(send(pair, in), 11))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("used");
        }
    }

    @Test
    void operationsDoNotWaitForWhatHoldsTheirLock() {
        Providers.SOCKETS.assumeOffered();
        Counter[] received = new Counter[2];
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SOCKETS,
                h -> h.capabilities(Capability.MSG, Capability.TAGGED, Capability.TRIGGER),
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> {
                    int side = received[0] == null ? 0 : 1;
                    received[side] = endpoint.domain().openCounter();
                    endpoint.bind(received[side], BindFlag.RECV, BindFlag.TRANSMIT);
                })) {
            MemorySegment in = arena.allocate(16);
            for (Counter counter : received) {
                assertThatThrownBy(() -> Trigger.at(counter, 1).post(pair.b.endpoint.tagged().receiveRequest()
                        .buffers(in).tag(9), 22)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("another counter");
                assertThatThrownBy(() -> Trigger.at(counter, 1).post(send(pair, in), 23))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("messages that were sent");
                assertThatThrownBy(() -> Deferral.at(counter, 1).queue(pair.b.endpoint.messages()
                        .receiveRequest().buffers(in))).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("another counter");
            }
        }
    }

    @Test
    void receivesStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            MemorySegment in = arena.allocate(16);
            pair.post(() -> Trigger.at(counter, 1).post(pair.b.endpoint.messages().receiveRequest().buffers(in), 21));
            pair.post(() -> Trigger.at(counter, 1).post(pair.b.endpoint.tagged().receiveRequest()
                    .buffers(in.asSlice(8)).tag(9), 22));
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocateFrom("abc"), pair.a.peer, 1));
            pair.post(() -> pair.a.endpoint.tagged().send(arena.allocateFrom("def"), pair.a.peer, 9, 2));
            counter.add(1);
            pair.await(pair.b, 21);
            pair.await(pair.b, 22);
            assertThat(in.getString(0)).isEqualTo("abc");
            assertThat(in.getString(8)).isEqualTo("def");
        }
    }

    /** Nobody could tell when such a buffer is free again. */
    @Test
    void aReceiveOfManyMessagesIsNotOneThatStartsLater() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            pair.b.endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 64L);
            MessageRequest many = pair.b.endpoint.messages().receiveRequest().buffers(arena.allocate(1000))
                    .flags(OperationFlag.MULTI_RECV);
            assertThatThrownBy(() -> Trigger.at(counter, 1).post(many, 21))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("MULTI_RECV");
            assertThatThrownBy(() -> Deferral.at(counter, 1).queue(many))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("MULTI_RECV");
        }
    }

    @Test
    void accessesToRemoteMemoryStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            MemorySegment there = arena.allocateFrom(JAVA_LONG, 10, 20, 30, 40);
            MemoryRegion region = pair.domain.register(there, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
            MemorySegment back = arena.allocate(16);
            Counter counter = pair.domain.openCounter();
            RmaRequest read = pair.a.endpoint.rma().readRequest().buffers(back).peer(pair.a.peer)
                    .range(region.remote(), 8, 16);
            RmaRequest write = pair.a.endpoint.rma().writeRequest().buffers(arena.allocateFrom(JAVA_LONG, 77, 88))
                    .peer(pair.a.peer).range(region.remote(), 16, 16);
            // queued backwards: when each runs is up to its threshold
            pair.post(() -> Trigger.at(counter, 2).post(read, 32));
            pair.post(() -> Trigger.at(counter, 1).post(write, 31));
            aWhile(pair);
            assertThat(pair.a.done()).isEmpty();
            assertThat(there.toArray(JAVA_LONG)).containsExactly(10, 20, 30, 40);
            counter.add(1);
            pair.await(pair.a, 31);
            pair.until("written", () -> there.getAtIndex(JAVA_LONG, 3) == 88);
            assertThat(there.toArray(JAVA_LONG)).containsExactly(10, 20, 77, 88);
            aWhile(pair);
            assertThat(pair.a.done()).isEmpty();
            assertThat(back.toArray(JAVA_LONG)).containsExactly(0, 0);
            counter.add(1);
            pair.await(pair.a, 32);
            assertThat(back.toArray(JAVA_LONG)).containsExactly(20, 77);
        }
    }

    @Test
    void atomicOperationsStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            MemorySegment there = arena.allocateFrom(JAVA_LONG, 1, 100, 200);
            MemoryRegion region = pair.domain.register(there, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
            MemorySegment fetched = arena.allocate(16);
            MemorySegment compared = arena.allocate(16);
            Counter counter = pair.domain.openCounter();
            // the second element does not compare equal
            AtomicRequest swap = atomic(pair, AtomicForm.COMPARE, AtomicOp.CSWAP, region, 8,
                    arena.allocateFrom(JAVA_LONG, 7, 8)).comparands(arena.allocateFrom(JAVA_LONG, 111, 0))
                    .results(compared);
            AtomicRequest fetch = atomic(pair, AtomicForm.FETCH, AtomicOp.SUM, region, 8,
                    arena.allocateFrom(JAVA_LONG, 6, 6)).results(fetched);
            AtomicRequest sum = atomic(pair, AtomicForm.BASE, AtomicOp.SUM, region, 8,
                    arena.allocateFrom(JAVA_LONG, 5, 5));
            pair.post(() -> Trigger.at(counter, 3).post(swap, 43));
            pair.post(() -> Trigger.at(counter, 2).post(fetch, 42));
            pair.post(() -> Trigger.at(counter, 1).post(sum, 41));
            aWhile(pair);
            assertThat(pair.a.done()).isEmpty();
            assertThat(there.toArray(JAVA_LONG)).containsExactly(1, 100, 200);
            counter.add(1);
            pair.await(pair.a, 41);
            pair.until("applied", () -> there.getAtIndex(JAVA_LONG, 2) == 205);
            assertThat(there.toArray(JAVA_LONG)).containsExactly(1, 105, 205);
            counter.add(1);
            pair.await(pair.a, 42);
            assertThat(fetched.toArray(JAVA_LONG)).containsExactly(105, 205);
            assertThat(there.toArray(JAVA_LONG)).containsExactly(1, 111, 211);
            aWhile(pair);
            assertThat(pair.a.done()).isEmpty();
            counter.add(1);
            pair.await(pair.a, 43);
            assertThat(compared.toArray(JAVA_LONG)).containsExactly(111, 211);
            assertThat(there.toArray(JAVA_LONG)).containsExactly(1, 7, 211);
        }
    }

    /** With others the provider would leave out targets, or read behind them. */
    @Test
    void atomicsThatStartLaterHaveAsManyTargetsAsBuffers() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            MemorySegment there = arena.allocateFrom(JAVA_LONG, 1, 2, 3);
            RemoteRegion region = pair.domain.register(there, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                    .remote();
            MemorySegment operand = arena.allocateFrom(JAVA_LONG, 10, 20);
            MemorySegment fetched = arena.allocate(16);
            Counter counter = pair.domain.openCounter();
            for (AtomicForm form : new AtomicForm[] {AtomicForm.BASE, AtomicForm.FETCH, AtomicForm.COMPARE}) {
                AtomicRequest request = pair.a.endpoint.atomics().request(form, Datatype.INT64,
                        form == AtomicForm.COMPARE ? AtomicOp.CSWAP : AtomicOp.SUM).peer(pair.a.peer);
                if (form != AtomicForm.BASE) {
                    request.results(fetched);
                }
                if (form == AtomicForm.COMPARE) {
                    request.comparands(operand);
                }
                refusedLater(counter, request.buffers(operand).target(region, 0, 8).addTarget(region, 16, 8));
                refusedLater(counter, request.buffers(operand.asSlice(0, 8), operand.asSlice(8)).target(region, 0, 16));
            }
            AtomicRequest read = pair.a.endpoint.atomics().request(AtomicForm.FETCH, Datatype.INT64,
                    AtomicOp.ATOMIC_READ).peer(pair.a.peer).results(fetched).target(region, 0, 8)
                    .addTarget(region, 16, 8);
            refusedLater(counter, read);
            AtomicRequest sum = pair.a.endpoint.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM)
                    .peer(pair.a.peer).buffers(operand.asSlice(0, 8), operand.asSlice(8)).target(region, 0, 8)
                    .addTarget(region, 16, 8);
            pair.post(() -> Trigger.at(counter, 1).post(sum, 51));
            counter.add(1);
            pair.await(pair.a, 51);
            pair.until("applied", () -> there.getAtIndex(JAVA_LONG, 2) == 23);
            assertThat(there.toArray(JAVA_LONG)).containsExactly(11, 2, 23);
            pair.post(() -> sum.buffers(operand).post(52));
            pair.await(pair.a, 52);
            pair.until("applied at once", () -> there.getAtIndex(JAVA_LONG, 2) == 43);
        }
    }

    private static void refusedLater(Counter counter, AtomicRequest request) {
        assertThatThrownBy(() -> Trigger.at(counter, 1).post(request, 50)).isInstanceOfSatisfying(FabricException.class,
                refused -> assertThat(refused.error()).isEqualTo(FabricError.EOPNOTSUPP))
                .hasMessageContaining("as many targets as buffers").hasMessageContaining("atomic");
        assertThatThrownBy(() -> Deferral.at(counter, 1).queue(request)).isInstanceOfSatisfying(FabricException.class,
                refused -> assertThat(refused.error()).isEqualTo(FabricError.EOPNOTSUPP))
                .hasMessageContaining("as many targets as buffers").hasMessageContaining("FI_QUEUE_WORK");
    }

    @Test
    void whatIsRefusedLeavesTheTriggerUnused() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            MemorySegment there = arena.allocate(16);
            MemoryRegion region = pair.domain.register(there, MemoryAccess.REMOTE_WRITE);
            MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
            Trigger trigger = Trigger.at(pair.domain.openCounter(), 0);
            RmaRequest write = pair.a.endpoint.rma().writeRequest().buffers(one).peer(pair.a.peer)
                    .range(region.remote(), 0, 9);
            assertThatThrownBy(() -> trigger.post(write, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ranges 9");
            AtomicRequest sum = atomic(pair, AtomicForm.BASE, AtomicOp.SUM, region, 0, one);
            assertThatThrownBy(() -> trigger.post(sum.buffers(one.asSlice(0, 7)), 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("7 bytes");
            sum.buffers(one);
            AtomicRequest fetch = atomic(pair, AtomicForm.FETCH, AtomicOp.SUM, region, 0, one).results(there);
            assertThatThrownBy(() -> trigger.post(fetch, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("16 bytes");
            AtomicRequest swap = atomic(pair, AtomicForm.COMPARE, AtomicOp.CSWAP, region, 0, one).comparands(there)
                    .results(one);
            assertThatThrownBy(() -> trigger.post(swap, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("comparand");
            assertThatThrownBy(() -> trigger.post(send(pair, one).peer(77), 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("77");
            pair.post(() -> trigger.post(sum, 51));
            pair.await(pair.a, 51);
            pair.until("applied", () -> there.get(JAVA_LONG, 0) == 1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void withoutTheCapabilityNothingStartsAtOnce(Providers.Choice choice) {
        if (choice.equals(Providers.SOCKETS)) {
            return; // gives it to everybody
        }
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, h -> h.capabilities(Capability.MSG))) {
            Trigger trigger = Trigger.at(pair.domain.openCounter(), 1);
            MessageRequest send = send(pair, arena.allocate(8));
            assertThatThrownBy(() -> trigger.post(send, 1))
                    .isInstanceOfSatisfying(FabricException.class, e ->
                            assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("TRIGGER");
        }
    }
}
