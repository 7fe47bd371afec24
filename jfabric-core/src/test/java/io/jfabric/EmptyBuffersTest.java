// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Buffers of no bytes, alone and among others: nothing follows what they do not have. */
@Timeout(60)
class EmptyBuffersTest {
    private static final MemorySegment EMPTY = MemorySegment.NULL;

    private final Arena arena = Arena.ofAuto();

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void amongOthersInMessages(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            assumeTrue(pair.info.tx().iovLimit() > 1 && pair.info.rx().iovLimit() > 1, "takes one buffer only");
            for (int size : new int[] {1, 100, 100_000}) {
                MemorySegment out = Bytes.pattern(arena, size, size);
                send(pair, out, EMPTY, out);
                send(pair, out, out, EMPTY);
            }
        }
    }

    private void send(Pair pair, MemorySegment expected, MemorySegment... buffers) {
        MemorySegment in = arena.allocate(expected.byteSize());
        MemorySegment[] into = buffers[0] == EMPTY ? new MemorySegment[] {EMPTY, in} : new MemorySegment[] {in, EMPTY};
        pair.post(() -> pair.b.endpoint.messages().receiveRequest().peer(Address.ANY).buffers(into).post(2));
        pair.post(() -> pair.a.endpoint.messages().sendRequest().peer(pair.a.peer).buffers(buffers).post(1));
        pair.await(pair.a, 1);
        assertThat(pair.await(pair.b, 2).length()).isEqualTo(expected.byteSize());
        assertThat(in.mismatch(expected)).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void inRemoteMemoryAccess(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
            MemorySegment memory = Bytes.pattern(arena, 256, 1);
            RemoteRegion region = RemoteRegion.of(pair.b.endpoint.register(memory, MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE).remote().toBytes());
            Rma rma = pair.a.endpoint.rma();
            pair.post(() -> rma.write(EMPTY, pair.a.peer, region, 0, 1));
            pair.await(pair.a, 1);
            assumeTrue(pair.info.tx().rmaIovLimit() > 0 && pair.info.tx().iovLimit() > 1, "takes one buffer only");
            MemorySegment out = Bytes.pattern(arena, 64, 2);
            pair.post(() -> rma.writeRequest().buffers(EMPTY, out).peer(pair.a.peer).range(region, 8, 64).post(2));
            pair.await(pair.a, 2);
            pair.until("the bytes have not arrived", () -> memory.asSlice(8, 64).mismatch(out) == -1);
            MemorySegment in = arena.allocate(64);
            pair.post(() -> rma.readRequest().buffers(in, EMPTY).peer(pair.a.peer).range(region, 8, 64).post(3));
            pair.await(pair.a, 3);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }
}
