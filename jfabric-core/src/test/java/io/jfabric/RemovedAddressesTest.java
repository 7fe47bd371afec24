// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.Direction;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An address vector that some addresses were removed from: they are refused, the others cost what they did before. */
@Timeout(60)
class RemovedAddressesTest {
    private static final int PEERS = 4;
    private static final int TAG = 7;
    private static final int OPERATIONS = 200;
    private static final int ROUNDS = 20;
    /** Every call that looks into the vector allocates more. */
    private static final int BYTES_PER_OPERATION = 16;

    private final MemorySegment memory = Arena.ofAuto().allocate(16);
    private final List<Side> sides = new ArrayList<>();
    private final List<Long> numbers = new ArrayList<>();
    private long completions;
    private final CompletionHandler count = completion -> completions += completion.context();

    static Stream<Providers.Choice> choices() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** The first side knows others by those numbers. */
    private Pair open(Providers.Choice choice) {
        Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV));
        sides.add(pair.b);
        numbers.add(pair.a.peer);
        while (sides.size() < PEERS) {
            Side other = Side.open(pair.domain, pair.info);
            sides.add(other);
            numbers.add(pair.a.addresses.insert(other.endpoint.address()));
        }
        for (Side side : sides) {
            side.peer = side == pair.b ? side.peer : side.addresses.insert(pair.a.endpoint.address());
        }
        return pair;
    }

    /** One after the other, and with the numbers that the provider gives to those that come back. */
    @ParameterizedTest
    @MethodSource("choices")
    void thoseAreRefusedAndOthersGo(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            for (int i = 0; i < PEERS; i++) {
                exchangeWithAllBut(-1, pair);
                pair.a.addresses.remove(numbers.get(i));
                exchangeWithAllBut(i, pair);
                numbers.set(i, pair.a.addresses.insert(sides.get(i).endpoint.address()));
            }
            exchangeWithAllBut(-1, pair);
            for (int i = 0; i < PEERS - 1; i++) {
                pair.a.addresses.remove(numbers.get(i));
                refused(pair, numbers.get(i));
            }
            exchange(pair, PEERS - 1);
        }
    }

    private void exchangeWithAllBut(int removed, Pair pair) {
        for (int i = 0; i < PEERS; i++) {
            if (i == removed) {
                refused(pair, numbers.get(i));
            } else {
                exchange(pair, i);
            }
        }
        refused(pair, numbers.stream().mapToLong(Long::longValue).max().orElseThrow() + 100);
    }

    private void refused(Pair pair, long nobody) {
        Endpoint from = pair.a.endpoint;
        for (Runnable operation : List.<Runnable>of(
                () -> from.tagged().send(memory, nobody, TAG, 1),
                () -> from.messages().inject(memory, nobody),
                () -> from.messages().sendRequest().buffers(memory).peer(nobody).post(1),
                () -> from.tagged().receive(memory, nobody, TAG, 0, 1))) {
            assertThatThrownBy(operation::run).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not in the address vector");
        }
    }

    /** A message each way; the one back is received from that peer alone. */
    private void exchange(Pair pair, int to) {
        Side other = sides.get(to);
        long number = numbers.get(to);
        completions = 0;
        long end = System.nanoTime() + Pair.DEADLINE.toNanos();
        if (!other.endpoint.tagged().receive(memory, 0, 8, Address.ANY, TAG, 0, 1)
                || !pair.a.endpoint.tagged().receive(memory, 8, 8, number, TAG, 0, 1)) {
            throw new AssertionError("a receive was not taken at once");
        }
        while (!pair.a.endpoint.tagged().send(memory, 0, 8, number, TAG, 1)) {
            poll(pair.a, other, end);
        }
        while (!other.endpoint.tagged().send(memory, 8, 8, other.peer, TAG, 1)) {
            poll(pair.a, other, end);
        }
        while (completions < 4) {
            poll(pair.a, other, end);
        }
    }

    private void poll(Side one, Side other, long end) {
        if (System.nanoTime() > end) {
            throw new AssertionError("no completion, or the provider stays busy");
        }
        one.queue.poll(count, 4);
        other.queue.poll(count, 4);
    }

    @ParameterizedTest
    @MethodSource("choices")
    void othersAllocateNothing(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            for (int removed = 0; removed < PEERS - 1; removed++) {
                pair.a.addresses.remove(numbers.get(removed));
                assertAllocatesNothing(() -> exchange(pair, PEERS - 1));
            }
            numbers.set(0, pair.a.addresses.insert(sides.get(0).endpoint.address()));
            assertAllocatesNothing(() -> exchange(pair, PEERS - 1));
        }
    }

    /** Nobody tells an alias of removals; only sockets has it, which is slow. */
    @Test
    void norDoThoseOfAnAlias() {
        Providers.SOCKETS.assumeOffered();
        try (Pair pair = open(Providers.SOCKETS)) {
            TaggedMessages alias = pair.a.endpoint.alias(Direction.TRANSMIT, Flags.of(OperationFlag.COMPLETION))
                    .tagged();
            assertAllocatesNothing(() -> alias.inject(memory, numbers.get(1), TAG));
            pair.a.addresses.remove(numbers.get(0));
            assertAllocatesNothing(() -> alias.inject(memory, numbers.get(1), TAG));
            assertThatThrownBy(() -> alias.inject(memory, numbers.get(0), TAG))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not in the address vector");
        }
    }

    /** Interpreted code may: what counts is the state it settles in. */
    private static void assertAllocatesNothing(Runnable operation) {
        double perOperation = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS && perOperation >= BYTES_PER_OPERATION; round++) {
            long before = allocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            perOperation = (double) (allocatedBytes() - before) / OPERATIONS;
        }
        assertThat(perOperation).as("bytes per operation").isLessThan(BYTES_PER_OPERATION);
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
