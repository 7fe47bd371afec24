// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.EndpointType;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Closes a region and its arena in the middle of a peer's access, in a process of its own: {@link RegionCloseTest}. */
final class RegionClose {
    private static final long SIZE = 16 << 20;
    private static final byte MINE = 7;
    private static final byte PEERS = 1;

    private RegionClose() {
    }

    public static void main(String[] args) {
        Providers.Choice choice = new Providers.Choice(args[0], EndpointType.RDM);
        boolean reads = args[1].equals("read");
        try (Pair pair = Pair.open(choice).connect()) {
            boolean amid = false;
            for (int round = 1; round <= 2; round++) {
                long begun = access(pair, reads, round);
                System.out.println("round " + round + ": closed after " + begun + " bytes");
                amid |= begun < SIZE;
            }
            if (!amid) {
                throw new AssertionError("each access was over before the region was closed");
            }
        }
        System.out.println("SURVIVED");
    }

    private static long access(Pair pair, boolean reads, long context) {
        MemorySegment local = Arena.ofAuto().allocate(SIZE, 8).fill(reads ? 0 : PEERS);
        FabricArena arena = pair.domain.openArena();
        MemorySegment memory = arena.allocate(SIZE, 4096).fill(reads ? PEERS : 0);
        MemoryRegion region = pair.domain.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
        RemoteRegion remote = region.remote();
        pair.post(() -> reads ? pair.a.endpoint.rma().read(local, pair.a.peer, remote, 0, context)
                : pair.a.endpoint.rma().write(local, pair.a.peer, remote, 0, context));
        MemorySegment target = reads ? local : memory;
        pair.until("the access begins", () -> target.get(ValueLayout.JAVA_BYTE, 100) == PEERS);
        long begun = 0;
        while (begun < SIZE && target.get(ValueLayout.JAVA_BYTE, begun) == PEERS) {
            begun += 4096;
        }
        region.close();
        arena.close();

        try (Arena owner = Arena.ofShared()) {
            List<MemorySegment> others = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                others.add(owner.allocate(SIZE, 4096).fill(MINE));
            }
            for (long end = System.nanoTime() + 300_000_000L; System.nanoTime() < end;) {
                pair.progress();
            }
            for (MemorySegment other : others) {
                long wrong = other.mismatch(Arena.ofAuto().allocate(SIZE).fill(MINE));
                if (wrong >= 0) {
                    throw new AssertionError("somebody else's memory has the peer's bytes from " + wrong + " on, "
                            + "closed after " + begun);
                }
            }
        }
        return begun;
    }
}
