// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where blocks go by way of others, each member takes memory for those that it passes on, and no more. */
class TreeMemoryTest {
    private static final int SIZE = 7;
    private static final long BLOCK = 100;

    /** With root 5 the places are those of the ranks 5, 6, 0, 1 and so on. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 0, 0", "2, 0, 2", "3, 0, 0", "4, 0, 3", "5, 0, 0", "6, 0, 0", "5, 5, 7", "0, 5, 2",
        "2, 5, 3"})
    void ofThoseBelow(int rank, int root, int blocks) {
        FakeTransport gathers = new FakeTransport(rank, SIZE);
        MemorySegment block = gathers.arena.allocate(BLOCK);
        MemorySegment all = rank == root ? gathers.arena.allocate(BLOCK * SIZE) : null;
        group(gathers).gather(block, all, root);
        assertThat(taken(gathers)).as("gather").isEqualTo(blocks * BLOCK);
        FakeTransport scatters = new FakeTransport(rank, SIZE);
        group(scatters).scatter(all, block, root);
        assertThat(taken(scatters)).as("scatter").isEqualTo(blocks * BLOCK);
    }

    private static GroupImpl group(Transport transport) {
        return new GroupImpl(transport, new Registry(), "", Duration.ofSeconds(60));
    }

    private static long taken(FakeTransport transport) {
        return transport.allocated.stream().mapToLong(MemorySegment::byteSize).sum();
    }
}
