// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/** A tagged message whose sender dies in the middle of it, in a process of its own: see {@link BrokenOffTest}. */
final class BrokenOff {
    /** More than a connection takes while nobody reads. */
    private static final int LENGTH = 50_000_000;
    private static final int TAG = 5;
    private static final int OTHERS = 8;
    private static final int OTHER_TAG = 70;

    private BrokenOff() {
    }

    /** Provider, and what the receiver does in the end: {@code receive} it, or only {@code close}. */
    public static void main(String[] args) {
        try (Pair pair = Pair.open(new Providers.Choice(args[0], EndpointType.RDM)).connect()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment out = arena.allocate(LENGTH).fill((byte) 7);
            MemorySegment in = arena.allocate(LENGTH);
            for (int i = 0; i < OTHERS; i++) {
                int tag = OTHER_TAG + i;
                pair.post(() -> pair.b.endpoint.tagged().receive(in.asSlice(0, 8), Address.ANY, tag, 0, tag));
            }
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, TAG, 1));
            forAWhile(4, pair::progress);
            pair.a.endpoint.close();
            forAWhile(200, pair.b::poll);
            // what these leave is taken for the next receive, and not what the message has left
            for (int i = 0; i < OTHERS; i++) {
                int tag = OTHER_TAG + i;
                pair.b.endpoint.cancel(tag);
                pair.awaitError(pair.b, tag);
            }
            if (args[1].equals("close")) {
                System.out.println("closing");
                return;
            }
            System.out.println("receiving");
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, TAG, 0, TAG));
            forAWhile(200, pair.b::poll);
            Done done = pair.b.take(d -> d.context() == TAG);
            System.out.println(done == null ? "waits" : done.error() != null ? "failed: " + done.error()
                    // where the provider's own thread was faster than the end
                    : in.mismatch(out) == -1 ? "all of it was there" : "a part of it was taken for all");
        }
    }

    private static void forAWhile(int rounds, Runnable action) {
        for (int i = 0; i < rounds; i++) {
            action.run();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
