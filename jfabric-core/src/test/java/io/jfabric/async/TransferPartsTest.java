// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.RemoteRegion;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes of several buffers to a peer's memory and reads into several, however many the provider takes at once. */
@Timeout(60)
class TransferPartsTest {
    private static final int SIZE = 2 << 20;
    private static final int OFFSET = 24;

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    /** That many, the one in the middle of that size and the others short and different, some empty. */
    private static List<MemorySegment> buffers(Node node, int count, long middle) {
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(Bytes.pattern(node.memory(), i == count / 2 ? middle : i % 7 == 3 ? 0 : 3 + i, i + 1));
        }
        return buffers;
    }

    private static MemorySegment joined(List<MemorySegment> buffers) {
        MemorySegment all = Arena.ofAuto().allocate(buffers.stream().mapToLong(MemorySegment::byteSize).sum());
        long at = 0;
        for (MemorySegment buffer : buffers) {
            all.asSlice(at, buffer.byteSize()).copyFrom(buffer);
            at += buffer.byteSize();
        }
        return all;
    }

    private static MemorySegment put(long size, long offset, MemorySegment bytes) {
        MemorySegment all = Arena.ofAuto().allocate(size).fill((byte) 0x55);
        all.asSlice(offset, bytes.byteSize()).copyFrom(bytes);
        return all;
    }

    /** What was written is there, beside it nothing is, and what is read is the same. */
    private static void writesAndReads(Nodes nodes, Operations operations, MemorySegment memory, RemoteRegion region,
            List<MemorySegment> buffers) throws Exception {
        MemorySegment expected = joined(buffers);
        memory.fill((byte) 0x55);
        get(operations.write(buffers, nodes.toB, region, OFFSET));
        // a read may overtake a write, and the write's future may be done before the bytes are there
        MemorySegment whole = put(SIZE, OFFSET, expected);
        Nodes.eventually(() -> memory.mismatch(whole) == -1);
        assertThat(memory.mismatch(whole)).as("%s", buffers).isEqualTo(-1);
        MemorySegment in = nodes.a.allocate(expected.byteSize() + 16L * buffers.size()).fill((byte) 0x66);
        MemorySegment around = Arena.ofAuto().allocate(in.byteSize()).fill((byte) 0x66);
        List<MemorySegment> into = new ArrayList<>();
        long at = 0;
        for (MemorySegment buffer : buffers) {
            into.add(in.asSlice(at, buffer.byteSize()));
            around.asSlice(at, buffer.byteSize()).copyFrom(buffer);
            at += buffer.byteSize() + 16;
        }
        get(operations.read(into, nodes.toB, region, OFFSET));
        assertThat(in.mismatch(around)).as("%s", buffers).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void allCountsAndSizes(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            int limit = (int) nodes.a.info().tx().iovLimit();
            MemorySegment memory = nodes.b.allocate(SIZE);
            RemoteRegion region = nodes.b.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                    .remote();
            for (int count : new int[] {1, 2, limit, limit + 1, 2 * limit, 100}) {
                for (long middle : new long[] {1, count > 2 * limit ? 1 << 20 : 70_000}) {
                    writesAndReads(nodes, nodes.a, memory, region, buffers(nodes.a, count, middle));
                }
            }
            // the last part would be empty
            List<MemorySegment> trailing = new ArrayList<>(buffers(nodes.a, limit, 100));
            trailing.addAll(Collections.nCopies(limit, nodes.a.allocate(0)));
            writesAndReads(nodes, nodes.a.within(Duration.ofSeconds(20)), memory, region, trailing);
            assertThat(nodes.a.underWay() + nodes.a.waiting()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void theLastByteOfARegionAndNotOneMore(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            int limit = (int) nodes.a.info().tx().iovLimit();
            for (int count : new int[] {2, 3 * limit + 1}) {
                List<MemorySegment> buffers = buffers(nodes.a, count, 500);
                MemorySegment bytes = joined(buffers);
                MemorySegment memory = nodes.b.allocate(bytes.byteSize() + 1);
                RemoteRegion region = nodes.b.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                        .remote();
                for (int offset : new int[] {0, 1}) {
                    memory.fill((byte) 0x55);
                    get(nodes.a.write(buffers, nodes.toB, region, offset));
                    MemorySegment whole = put(memory.byteSize(), offset, bytes);
                    Nodes.eventually(() -> memory.mismatch(whole) == -1);
                    assertThat(memory.mismatch(whole)).isEqualTo(-1);
                }
                for (long offset : new long[] {2, -1, Long.MAX_VALUE}) {
                    assertThatThrownBy(() -> nodes.a.write(buffers, nodes.toB, region, offset))
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("write: offset " + offset
                                    + " and length " + bytes.byteSize() + " are not inside the peer's region of "
                                    + memory.byteSize() + " bytes");
                    assertThatThrownBy(() -> nodes.a.read(buffers, nodes.toB, region, offset))
                            .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("read: offset");
                }
                assertThat(nodes.a.underWay() + nodes.a.waiting()).isZero();
            }
        }
    }

    /** The same bytes several times are fine to write; where reads share memory, it has the bytes of one of them. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void buffersThatShareMemory(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            int limit = (int) nodes.a.info().tx().iovLimit();
            MemorySegment memory = Bytes.pattern(nodes.b.memory(), 100L * (limit + 1), 3);
            RemoteRegion region = nodes.b.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                    .remote();
            MemorySegment same = nodes.a.allocate(100);
            List<MemorySegment> buffers = Collections.nCopies(limit + 1, same);
            get(nodes.a.read(buffers, nodes.toB, region, 0));
            boolean found = false;
            for (int i = 0; i <= limit; i++) {
                found |= memory.asSlice(100L * i, 100).mismatch(same) == -1;
            }
            assertThat(found).isTrue();
            Bytes.fill(same, 9);
            get(nodes.a.write(buffers, nodes.toB, region, 0));
            MemorySegment expected = joined(buffers);
            Nodes.eventually(() -> memory.mismatch(expected) == -1);
            assertThat(memory.mismatch(expected)).isEqualTo(-1);
        }
    }
}
