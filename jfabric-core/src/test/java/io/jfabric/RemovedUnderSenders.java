// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/** Two threads send to an address that a third one takes out of the vector: see {@link RemovedUnderSendersTest}. */
final class RemovedUnderSenders {
    private static final int TIMES = 300;
    private static final long LIMIT_NANOS = 3_000_000_000L;

    private final Pair pair;
    private final AtomicLong peer;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    private RemovedUnderSenders(Pair pair) {
        this.pair = pair;
        this.peer = new AtomicLong(pair.a.peer);
    }

    public static void main(String[] args) throws Exception {
        Threads.deathEndsTheJvm();
        Providers.Choice choice = Providers.connectionless()
                .filter(known -> known.toString().equals(args[0])).findFirst().orElseThrow();
        try (Pair pair = Pair.open(choice)) {
            new RemovedUnderSenders(pair).run();
        }
    }

    private void run() throws InterruptedException {
        MemorySegment message = Arena.ofAuto().allocate(8);
        Messages messages = pair.a.endpoint.messages();
        Thread[] threads = {
            Thread.ofPlatform().start(() -> send(to -> messages.inject(message, to))),
            Thread.ofPlatform().start(() -> {
                MessageRequest request = messages.sendRequest().buffers(message);
                send(to -> request.peer(to).post(1));
            }),
            Thread.ofPlatform().start(this::receive)};
        int removed = remove();
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        if (sent.get() == 0) {
            throw new AssertionError("nothing was sent");
        }
        System.out.println("SURVIVED: " + removed + " removals, " + sent + " sent, " + refused + " refused");
    }

    private void send(LongPredicate operation) {
        while (!over.get()) {
            try {
                if (operation.test(peer.get())) {
                    sent.incrementAndGet();
                }
            } catch (IllegalArgumentException notThere) {
                refused.incrementAndGet();
            }
        }
    }

    private void receive() {
        MemorySegment into = Arena.ofAuto().allocate(8);
        long posted = 0;
        while (!over.get()) {
            if (posted < 100 && pair.b.endpoint.messages().receive(into, Address.ANY, 1)) {
                posted++;
            }
            posted -= pair.b.queue.poll(completion -> { }, 16);
        }
    }

    private int remove() {
        byte[] where = pair.b.endpoint.address().bytes();
        long end = System.nanoTime() + LIMIT_NANOS;
        int removed = 0;
        while (removed < TIMES && System.nanoTime() < end) {
            long before = sent.get();
            for (int i = 0; i < 1000 && sent.get() == before; i++) {
                pair.a.poll();
            }
            pair.a.done().clear();
            pair.a.addresses.remove(peer.get());
            removed++;
            peer.set(pair.a.addresses.insert(where));
        }
        return removed;
    }
}
