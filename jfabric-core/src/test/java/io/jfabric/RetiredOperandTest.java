// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory of a closed domain that an atomic operation of another one reads; of its buffers the result alone is kept. */
class RetiredOperandTest {
    /** More than malloc ever keeps for itself. */
    private static final long HUGE = 64 << 20;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void outlivesItsDomain(Providers.Choice choice) {
        // jemalloc and others keep address space that was freed
        assumeTrue(System.getenv("LD_PRELOAD") == null);
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, hints ->
                hints.capabilities(Capability.MSG, Capability.ATOMIC)).connect()) {
            MemorySegment memory = arena.allocate(64, 8);
            MemoryRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE);
            try (Pair owner = Pair.open(choice)) {
                FabricArena closed = owner.domain.openArena();
                MemorySegment operand = closed.allocate(HUGE).asSlice(0, 8).fill((byte) 1);
                MemorySegment result = closed.allocate(8, 8);
                // the other side does not progress
                pair.untilWithoutProgress("posted", () -> {
                    boolean posted = pair.a.endpoint.atomics().fetchAndApply(operand, result, pair.a.peer,
                            region.remote(), 0, Datatype.INT64, AtomicOp.SUM, 77);
                    if (!posted) {
                        pair.progress();
                    }
                    return posted;
                });
            }
            long before = mappedBytes();
            pair.domain.openArena().allocate(8);
            assertThat(mappedBytes()).as("still in use").isGreaterThan(before - HUGE / 2);
            pair.await(pair.a, 77);
            pair.domain.openArena().allocate(8);
            assertThat(mappedBytes()).as("freed, now that nothing uses it").isLessThan(before - HUGE / 2);
        }
    }

    private static long mappedBytes() {
        try {
            return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[0]) * 4096;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
