// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.Resident;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Broadcasts in a process of its own whose second member always comes late: see {@link NothingIsLeftTest}. */
final class LateBroadcasts {
    private static final int LONG = 64 << 10;
    private static final int WARM_UP = 500;
    private static final int TIMES = 2000;

    private LateBroadcasts() {
    }

    /** Says by how many KiB the process grew. */
    public static void main(String[] args) throws Exception {
        try (Hints hints = Hints.rdm().provider(args[0]).capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Group first = Group.ofAddresses(a, List.of(a.address().bytes(), b.address().bytes()));
                Group second = Group.ofAddresses(b, List.of(a.address().bytes(), b.address().bytes()))) {
            MemorySegment out = a.allocate(LONG);
            MemorySegment in = b.allocate(LONG);
            broadcast(first, second, out, in, WARM_UP);
            long before = Resident.bytes("RssAnon") >> 10;
            broadcast(first, second, out, in, TIMES);
            System.out.println("grew " + ((Resident.bytes("RssAnon") >> 10) - before));
        }
    }

    private static void broadcast(Group first, Group second, MemorySegment out, MemorySegment in, int times)
            throws InterruptedException {
        for (int i = 0; i < times; i++) {
            out.set(ValueLayout.JAVA_INT, LONG - Integer.BYTES, i);
            CompletableFuture<Void> sent = first.broadcast(out, 0);
            // what it sends at once is there before anybody waits for it
            Thread.sleep(0, 200_000);
            second.broadcast(in, 0).join();
            sent.join();
            if (in.get(ValueLayout.JAVA_INT, LONG - Integer.BYTES) != i) {
                throw new AssertionError("broadcast " + i + " brought something else");
            }
        }
    }
}
