// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.async.BufferPool;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Address;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Closes an arena or a pooled buffer too early, in a JVM that looks for that; see {@link MemoryCheckTest}. */
final class MemoryCheckChild {
    private MemoryCheckChild() {
    }

    /** First argument: what is to be under way. */
    public static void main(String[] arguments) {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            if (arguments[0].equals("pool")) {
                giveBack(pair);
                return;
            }
            Arena arena = Arena.ofShared();
            MemorySegment buffer = arena.allocate(64);
            switch (arguments[0]) {
                case "receive" -> pair.b.endpoint.messages().receive(buffer, Address.ANY, 77);
                case "region" -> pair.b.endpoint.register(buffer, MemoryAccess.REMOTE_WRITE);
                case "nothing" -> exchange(pair, buffer);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
            arena.close();
            if (arguments.length > 1) {
                return;
            }
            try {
                pair.progress();
                System.out.println("NOT SEEN");
            } catch (IllegalStateException e) {
                System.out.println("THROWN " + e.getMessage());
                System.out.println("POSTED " + e.getCause().getMessage());
            }
            // once is enough
            pair.progress();
            System.out.println("END");
        }
    }

    private static void giveBack(Pair pair) {
        BufferPool pool = BufferPool.open(pair.b.endpoint.domain(), 64, 2);
        try (PooledBuffer mine = pool.tryTake().orElseThrow()) {
            exchange(pair, mine.segment());
        }
        System.out.println("GIVEN BACK");
        PooledBuffer taken = pool.tryTake().orElseThrow();
        pair.post(() -> pair.b.endpoint.messages().receive(taken.segment().asSlice(8, 8), Address.ANY, 77));
        try {
            taken.close();
        } catch (IllegalStateException e) {
            System.out.println("THROWN " + e.getMessage());
            System.out.println("POSTED " + e.getCause().getMessage());
        }
        System.out.println(pool.tryTake().orElseThrow() + ", then " + pool.tryTake());
    }

    private static void exchange(Pair pair, MemorySegment buffer) {
        for (int i = 0; i < 100; i++) {
            pair.post(() -> pair.b.endpoint.messages().receive(buffer, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(buffer, pair.a.peer, 2));
            pair.await(pair.a, 2);
            pair.await(pair.b, 1);
        }
    }
}
