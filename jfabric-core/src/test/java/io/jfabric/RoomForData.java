// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;

/** Writes with data as fast as the endpoint takes them. To be run alone: it may crash. */
final class RoomForData {
    private static final int WRITES = 20_000;

    private RoomForData() {
    }

    public static void main(String[] arguments) {
        Arena arena = Arena.global();
        try (Pair pair = Pair.open(Providers.SOCKETS, hints -> hints.capabilities(Capability.MSG, Capability.RMA))
                .connect()) {
            RemoteRegion region = pair.b.endpoint.register(arena.allocate(1 << 16), MemoryAccess.REMOTE_WRITE).remote();
            MemorySegment piece = arena.allocate(8192);
            RmaRequest[] requests = new RmaRequest[(int) Math.min(8, pair.info.tx().iovLimit())];
            for (int i = 0; i < requests.length; i++) {
                MemorySegment[] pieces = new MemorySegment[i + 1];
                Arrays.fill(pieces, piece);
                requests[i] = pair.a.endpoint.rma().writeRequest().peer(pair.a.peer).buffers(pieces)
                        .range(region, 0, piece.byteSize() * pieces.length).data(5);
            }
            Random random = new Random(1);
            int posted = 0;
            int done = 0;
            int received = 0;
            while (done < WRITES) {
                // so that all sizes meet all that is left of room
                while (posted < WRITES && requests[random.nextInt(requests.length)].post(posted)) {
                    posted++;
                }
                pair.progress();
                while (pair.a.take(any -> true) != null) {
                    done++;
                }
                while (pair.b.take(any -> true) != null) {
                    received++;
                }
            }
            System.out.println("done " + done + ", received " + (received > 0));
        }
    }
}
