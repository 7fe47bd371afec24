// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;

/** A message whose sender is gone before it is received, in a process of its own: see {@link EarlyLongTest}. */
final class EarlyLong {
    private EarlyLong() {
    }

    /** Provider, length. */
    public static void main(String[] args) throws Exception {
        int length = Integer.parseInt(args[1]);
        try (Pair pair = Pair.open(new Providers.Choice(args[0], EndpointType.RDM));
                FabricArena arena = pair.domain.openArena()) {
            pair.connect();
            MemorySegment out = arena.allocate(length).fill((byte) 7);
            MemorySegment in = arena.allocate(length);
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 1));
            forAWhile(pair::progress);
            pair.a.endpoint.close();
            forAWhile(pair.b::poll);
            System.out.println("receiving");
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 5, 0, 9));
            forAWhile(pair.b::poll);
            System.out.println(in.get(ValueLayout.JAVA_BYTE, length - 1L) == 7 ? "received" : "lost");
        }
    }

    private static void forAWhile(Runnable action) {
        for (int i = 0; i < 300; i++) {
            action.run();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
