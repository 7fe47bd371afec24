// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;

/** Writes with data as fast as the endpoint takes them. To be run alone: it may crash. */
final class RoomForData {
    /** Where the ring of operations is short, they meet every rest of room. */
    private static final int SHORT = 8;
    private static final int STARTED = 200;
    private static final int ROUNDS = 25;
    /** With their header they are as long as one entry, and without the data shorter. */
    private static final int SHORTEST = 168;
    private static final int LONGEST = 177;
    private static final int SEVERAL = 20;

    private final Arena arena = Arena.global();
    private final Random random = new Random(1);
    private final Pair pair;
    private final RemoteRegion region;
    private int posted;
    private int done;
    private int received;

    private RoomForData(Pair pair) {
        this.pair = pair;
        this.region = pair.b.endpoint.register(arena.allocate(1 << 16), MemoryAccess.REMOTE_WRITE).remote();
    }

    public static void main(String[] arguments) {
        String what = arguments[0];
        int size = what.equals("direct") ? 256 : what.equals("started") ? SHORT : 1;
        try (Pair pair = Pair.open(Providers.SOCKETS, hints -> {
            hints.capabilities(Capability.MSG, Capability.RMA, Capability.TRIGGER);
            hints.tx().size(size);
        }).connect()) {
            RoomForData writes = new RoomForData(pair);
            switch (what) {
                case "direct" -> writes.write(writes.requests(true), 20_000);
                case "started" -> writes.beside();
                default -> writes.injected();
            }
            System.out.println("done " + writes.done + ", received " + writes.received);
        }
    }

    /** Of as many pieces as there may be, so that all sizes meet all that is left of room. */
    private RmaRequest[] requests(boolean data) {
        MemorySegment piece = arena.allocate(64);
        RmaRequest[] requests = new RmaRequest[(int) Math.min(8, pair.info.tx().iovLimit())];
        for (int i = 0; i < requests.length; i++) {
            MemorySegment[] pieces = new MemorySegment[i + 1];
            Arrays.fill(pieces, piece);
            requests[i] = pair.a.endpoint.rma().writeRequest().peer(pair.a.peer).buffers(pieces)
                    .range(region, 0, piece.byteSize() * pieces.length);
            if (data) {
                requests[i].data(5);
            }
        }
        return requests;
    }

    private RmaRequest any(RmaRequest[] requests) {
        return requests[random.nextInt(requests.length)];
    }

    private void progress() {
        pair.progress();
        while (pair.a.take(any -> true) != null) {
            done++;
        }
        while (pair.b.take(any -> true) != null) {
            received++;
        }
    }

    private void write(RmaRequest[] requests, int most) {
        int all = done + most;
        while (done < all) {
            while (posted < all && any(requests).post(posted)) {
                posted++;
            }
            progress();
        }
    }

    /** A counter starts as many as there is room for, which nobody counts. */
    private void beside() {
        RmaRequest[] plain = requests(false);
        RmaRequest[] withData = requests(true);
        for (int round = 0; round < ROUNDS; round++) {
            Counter counter = pair.domain.openCounter();
            for (int i = 0; i < STARTED; i++) {
                pair.post(() -> Trigger.at(counter, 1).post(any(plain), 0));
            }
            int all = (round + 1) * 2 * STARTED;
            int left = STARTED;
            while (done < all) {
                counter.add(1);
                for (int i = 0; i < STARTED && left > 0; i++) {
                    left -= any(withData).post(0) ? 1 : 0;
                }
                progress();
            }
        }
    }

    private void injected() {
        for (int length = SHORTEST; length <= LONGEST; length++) {
            MemorySegment memory = arena.allocate(length);
            for (int i = 0; i < SEVERAL; i++) {
                pair.post(() -> pair.a.endpoint.rma().injectData(memory, 5, pair.a.peer, region, 0));
            }
            int all = (length - SHORTEST + 1) * SEVERAL;
            pair.until("received", () -> {
                progress();
                return received == all;
            });
        }
    }
}
