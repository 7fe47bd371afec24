// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.AtomicTarget;
import io.jfabric.Counter;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.Pair;
import io.jfabric.testing.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Triggered operations on sockets, the only provider here that has them. */
class TriggeredOperationsTest {
    private static Pair open() {
        Providers.offered(Providers.SOCKETS).findAny().orElseThrow();
        return Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA, Capability.ATOMIC, Capability.TRIGGER));
    }

    private static AtomicTarget target(Pair pair, MemoryRegion region, int index, AtomicOp op) {
        return new AtomicTarget(pair.a.peer, region.remote(), 8L * index, Datatype.INT64, op);
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
            pair.post(() -> TriggeredOperations.of(pair.a.endpoint).send(one, arena.allocateFrom("one"), pair.a.peer,
                    11));
            pair.post(() -> TriggeredOperations.of(pair.a.endpoint).sendTagged(Trigger.at(counter, 2),
                    arena.allocateFrom("two"), pair.a.peer, 4, 12));
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
            assertThatThrownBy(() -> TriggeredOperations.of(pair.a.endpoint).send(one, in, pair.a.peer, 11))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("used");
        }
    }

    @Test
    void receivesStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            MemorySegment in = arena.allocate(16);
            pair.post(() -> TriggeredOperations.of(pair.b.endpoint).receive(Trigger.at(counter, 1), in, Address.ANY,
                    21));
            pair.post(() -> TriggeredOperations.of(pair.b.endpoint).receiveTagged(Trigger.at(counter, 1), in.asSlice(8),
                    Address.ANY, 9, 0, 22));
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocateFrom("abc"), pair.a.peer, 1));
            pair.post(() -> pair.a.endpoint.tagged().send(arena.allocateFrom("def"), pair.a.peer, 9, 2));
            counter.add(1);
            pair.await(pair.b, 21);
            pair.await(pair.b, 22);
            assertThat(in.getString(0)).isEqualTo("abc");
            assertThat(in.getString(8)).isEqualTo("def");
        }
    }

    @Test
    void accessesToRemoteMemoryStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            MemorySegment there = arena.allocateFrom(JAVA_LONG, 10, 20, 30, 40);
            MemoryRegion region = pair.domain.register(there, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
            MemorySegment back = arena.allocate(16);
            Counter counter = pair.domain.openCounter();
            TriggeredOperations triggered = TriggeredOperations.of(pair.a.endpoint);
            // queued backwards: when each runs is up to its threshold
            pair.post(() -> triggered.read(Trigger.at(counter, 2), back, pair.a.peer, region.remote(), 8, 32));
            pair.post(() -> triggered.write(Trigger.at(counter, 1), arena.allocateFrom(JAVA_LONG, 77, 88),
                    pair.a.peer, region.remote(), 16, 31));
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
            TriggeredOperations triggered = TriggeredOperations.of(pair.a.endpoint);
            // the second element does not compare equal
            pair.post(() -> triggered.compareAndApply(Trigger.at(counter, 3), arena.allocateFrom(JAVA_LONG, 7, 8),
                    arena.allocateFrom(JAVA_LONG, 111, 0), compared, target(pair, region, 1, AtomicOp.CSWAP), 43));
            pair.post(() -> triggered.fetchAndApply(Trigger.at(counter, 2), arena.allocateFrom(JAVA_LONG, 6, 6),
                    fetched, target(pair, region, 1, AtomicOp.SUM), 42));
            pair.post(() -> triggered.apply(Trigger.at(counter, 1), arena.allocateFrom(JAVA_LONG, 5, 5),
                    target(pair, region, 1, AtomicOp.SUM), 41));
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

    @Test
    void whatIsRefusedLeavesTheTriggerUnused() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            MemorySegment there = arena.allocate(16);
            MemoryRegion region = pair.domain.register(there, MemoryAccess.REMOTE_WRITE);
            MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
            MemorySegment constant = one.asReadOnly();
            Trigger trigger = Trigger.at(pair.domain.openCounter(), 0);
            TriggeredOperations triggered = TriggeredOperations.of(pair.a.endpoint);
            AtomicTarget sum = target(pair, region, 0, AtomicOp.SUM);
            AtomicTarget bits = new AtomicTarget(pair.a.peer, region.remote(), 0, Datatype.DOUBLE, AtomicOp.BXOR);
            assertThatThrownBy(() -> triggered.write(trigger, one, pair.a.peer, region.remote(), 9, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("offset 9");
            assertThatThrownBy(() -> triggered.read(trigger, constant, pair.a.peer, region.remote(), 0, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fi_readmsg");
            assertThatThrownBy(() -> triggered.apply(trigger, one.asSlice(0, 7), sum, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("7 bytes");
            assertThatThrownBy(() -> triggered.fetchAndApply(trigger, one, there, sum, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("16 bytes");
            assertThatThrownBy(() -> triggered.compareAndApply(trigger, one, there, one, sum, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("comparand");
            assertThatThrownBy(() -> triggered.apply(trigger, one, target(pair, region, 2, AtomicOp.SUM), 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            AtomicTarget odd = new AtomicTarget(pair.a.peer, region.remote(), 4, Datatype.INT64, AtomicOp.SUM);
            assertThatThrownBy(() -> triggered.apply(trigger, one, odd, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("multiples of 8");
            // the target's side would call a null pointer
            assertThatThrownBy(() -> triggered.apply(trigger, one, bits, 1)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("no BXOR of DOUBLE");
            pair.post(() -> triggered.apply(trigger, one, sum, 51));
            pair.await(pair.a, 51);
            pair.until("applied", () -> there.get(JAVA_LONG, 0) == 1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testing.Providers#rdm")
    void withoutTheCapabilityNothingStartsAtOnce(Providers.Choice choice) {
        if (choice.equals(Providers.SOCKETS)) {
            return; // gives it to everybody
        }
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, h -> h.capabilities(Capability.MSG))) {
            Trigger trigger = Trigger.at(pair.domain.openCounter(), 1);
            TriggeredOperations triggered = TriggeredOperations.of(pair.a.endpoint);
            assertThatThrownBy(() -> triggered.send(trigger, arena.allocate(8), pair.a.peer, 1))
                    .isInstanceOfSatisfying(FabricException.class, e ->
                            assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("TRIGGER");
        }
    }
}
