// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.async.BufferPool;
import io.jfabric.async.Call;
import io.jfabric.async.Caller;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.PooledBuffer;
import io.jfabric.async.Service;
import io.jfabric.info.Address;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * Closes an arena or a pooled buffer too early, or uses a request too late, in a JVM that looks for that; see
 * {@link MemoryCheckTest}.
 */
final class MemoryCheckChild {
    /** Of handlers that have used their requests after the answer. */
    private static final Semaphore HANDLED = new Semaphore(0);

    private MemoryCheckChild() {
    }

    /** First argument: what is to be under way. */
    public static void main(String[] arguments) {
        if (arguments[0].equals("calls")) {
            calls(new int[] {200, 300_000});
            return;
        }
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

    /** Answers with a part of the request, or with other memory, then uses the request. */
    private static void calls(int[] sizes) {
        try (NodePair nodes = NodePair.open(Providers.SHM, hints -> { }, NodeOptions.DEFAULT);
                Service _ = Service.open(nodes.b, 7, MemoryCheckChild::answer);
                Caller caller = Caller.open(nodes.toB, 7)) {
            for (int size : sizes) {
                for (boolean own : new boolean[] {true, false}) {
                    byte[] request = new byte[size];
                    request[0] = (byte) (own ? 1 : 0);
                    request[size - 1] = 77;
                    byte[] answer = caller.call(request).join();
                    System.out.println((own ? "OWN " : "OTHER ") + answer.length + " ends with "
                            + answer[answer.length - 1]);
                    HANDLED.acquireUninterruptibly();
                }
            }
        }
    }

    private static void answer(Call call) {
        MemorySegment request = call.request();
        CompletableFuture<Void> sent = call.answer(request.get(ValueLayout.JAVA_BYTE, 0) == 1 ? request.asSlice(8)
                : Arena.ofAuto().allocate(request.byteSize()));
        sent.join();
        System.out.println("HANDLER " + used(request));
        HANDLED.release();
    }

    private static String used(MemorySegment request) {
        try {
            request.set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            return "NOT SEEN";
        } catch (IllegalStateException e) {
            return "THROWN " + e.getMessage();
        }
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
