// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Long messages to a peer that ends without asking for them, in a process of its own: {@link DeadReceiverTest}. */
final class DeadReceiver {
    private static final int WAITING = 20;
    private static final int AT_ONCE = 32;
    private static final int SIZE = 5000;

    private DeadReceiver() {
    }

    /** Provider. */
    public static void main(String[] args) {
        try (Pair pair = Pair.open(new Providers.Choice(args[0], EndpointType.RDM)).connect()) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment large = arena.allocate(1_000_000);
            for (int i = 0; i < WAITING; i++) {
                int context = i;
                pair.post(() -> pair.a.endpoint.tagged().send(large, pair.a.peer, 5, context));
            }
            for (int i = 0; i < 50; i++) {
                pair.progress();
                LockSupport.parkNanos(1_000_000);
            }
            pair.b.endpoint.close();
            for (int i = 0; i < 300; i++) {
                pair.a.poll();
                LockSupport.parkNanos(1_000_000);
            }
            int ended = 0;
            for (int i = 0; i < WAITING; i++) {
                int context = i;
                ended += pair.a.take(done -> done.context() == context) == null ? 0 : 1;
            }
            System.out.println(ended + " of " + WAITING + " have ended");
            long self = pair.a.addresses.insert(pair.a.endpoint.address().bytes());
            for (int round = 0; round < 20; round++) {
                exchange(pair, arena, self, round);
            }
            System.out.println("the others are whole");
        }
        System.out.println("closed");
    }

    private static void exchange(Pair pair, FabricArena arena, long self, int round) {
        MemorySegment[] out = new MemorySegment[AT_ONCE];
        MemorySegment[] in = new MemorySegment[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            int tag = 1000 + i;
            MemorySegment from = arena.allocate(SIZE).fill((byte) (round * 7 + i));
            MemorySegment to = arena.allocate(SIZE);
            out[i] = from;
            in[i] = to;
            post(pair, () -> pair.a.endpoint.tagged().receive(to, Address.ANY, tag, 0, 2000 + tag));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            int tag = 1000 + i;
            MemorySegment from = out[i];
            post(pair, () -> pair.a.endpoint.tagged().send(from, self, tag, 4000 + tag));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            long tag = 1000 + i;
            await(pair, 2000 + tag);
            await(pair, 4000 + tag);
            if (in[i].mismatch(out[i]) != -1) {
                throw new AssertionError("another message was changed");
            }
        }
    }

    private static void post(Pair pair, BooleanSupplier operation) {
        pair.untilWithoutProgress("busy", () -> {
            pair.a.poll();
            return operation.getAsBoolean();
        });
    }

    private static void await(Pair pair, long context) {
        pair.untilWithoutProgress("not completed: " + context, () -> {
            pair.a.poll();
            return pair.a.take(done -> done.context() == context) != null;
        });
    }
}
