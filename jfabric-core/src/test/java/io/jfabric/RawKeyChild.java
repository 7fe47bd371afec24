// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.MrMode;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads and writes a region whose key is raw, as if another process had sent it; mrail takes its rails from the
 * environment, hence a process of its own. */
final class RawKeyChild {
    private static final int SIZE = 64 << 10;

    private RawKeyChild() {
    }

    public static void main(String[] args) {
        Providers.Choice mrail = new Providers.Choice(args[0], EndpointType.RDM);
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.open(mrail, hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
            check(((DomainImpl) pair.domain).state().requires(MrMode.RAW), "FI_MR_RAW");
            MemorySegment memory = arena.allocate(SIZE, 8);
            MemoryRegion registered = pair.domain.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
            check(registered.key() == -1 && registered.rawKey().bytes().length > Long.BYTES,
                    "a key longer than 64 bits");
            RemoteRegion region = RemoteRegion.of(registered.remote().toBytes());
            check(region.rawKey().orElseThrow().equals(registered.rawKey()), "a region with the raw key");
            pair.domain.mapKey(region);
            // what is released is mapped anew by the next operation
            for (int round = 1; round <= 2; round++) {
                MemorySegment out = Bytes.pattern(arena, SIZE, round);
                MemorySegment in = arena.allocate(SIZE, 8);
                pair.post(() -> pair.a.endpoint.rma().write(out, pair.a.peer, region, 0, 1));
                pair.await(pair.a, 1);
                pair.until("the write", () -> memory.mismatch(out) == -1);
                pair.post(() -> pair.a.endpoint.rma().read(in, 0, 100, pair.a.peer, region, 1000, 2));
                pair.await(pair.a, 2);
                check(in.asSlice(0, 100).mismatch(out.asSlice(1000, 100)) == -1, "what was read");
                check(in.get(JAVA_BYTE, 100) == 0, "no more than was asked for");
                pair.domain.unmapKey(region);
            }
            registered.close();
        }
        System.out.println("RAW KEYS WORK");
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("expected " + what);
        }
    }
}
