// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/** What two threads do at once with an endpoint that one of them closes, in the JVM of {@link ShmRaceTest}. */
final class ShmRace {
    private static final int ROUNDS = 200;
    /** On a busy machine it ends earlier. */
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int SPINS = 2000;

    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private final List<FabricObject> used = new ArrayList<>();
    private Throwable failure;

    private ShmRace() {
    }

    public static void main(String[] args) throws Exception {
        try (Pair pair = Pair.open(Providers.SHM)) {
            long end = System.nanoTime() + LONGEST.toNanos();
            for (int i = 0; i < ROUNDS && System.nanoTime() < end; i++) {
                switch (args[0]) {
                    case "insert" -> new ShmRace().insert(pair, i);
                    case "enable" -> new ShmRace().enable(pair);
                    default -> throw new IllegalArgumentException(args[0]);
                }
            }
        }
        System.out.println("SURVIVED");
    }

    /** One inserts the name of an endpoint that the other closes: either the insertion fails, or then the send. */
    private void insert(Pair pair, int round) throws Exception {
        Endpoint closed = prepared(pair).enable();
        byte[] name = closed.address().bytes();
        Thread closer = begin(() -> {
            spin(round * (SPINS / ROUNDS));
            closed.close();
        });
        long peer = -1;
        barrier.await();
        try {
            peer = pair.a.addresses.insert(name);
        } catch (IllegalStateException | FabricException gone) {
            // as it should be
        }
        join(closer);
        if (peer >= 0) {
            MemorySegment message = Arena.ofAuto().allocate(8);
            try {
                boolean taken = pair.a.endpoint.messages().send(message, peer, 1);
                throw new AssertionError("round " + round + ": a send to a closed endpoint was "
                        + (taken ? "taken" : "not refused"));
            } catch (FabricException asItShouldBe) {
                pair.a.poll();
            }
        }
        used.forEach(FabricObject::close);
    }

    /** One closes what the other has just enabled. */
    private void enable(Pair pair) throws Exception {
        Endpoint endpoint = prepared(pair);
        Thread closer = begin(() -> {
            while (!((EndpointImpl) endpoint).isEnabled()) {
                Thread.onSpinWait();
            }
            endpoint.close();
        });
        barrier.await();
        endpoint.enable();
        join(closer);
        if (endpoint.isOpen()) {
            throw new AssertionError("it was closed without an exception, and is open");
        }
        used.forEach(FabricObject::close);
    }

    private Endpoint prepared(Pair pair) {
        AddressVector vector = pair.domain.openAddressVector();
        CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
        used.addAll(List.of(vector, queue));
        return pair.domain.openEndpoint(pair.info).bind(vector).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private Thread begin(Runnable action) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                barrier.await();
                action.run();
            } catch (Throwable t) {
                failure = t;
            }
        });
    }

    private void join(Thread thread) throws Exception {
        if (!thread.join(Pair.DEADLINE)) {
            throw new AssertionError("the other thread does not end");
        }
        if (failure != null) {
            throw new AssertionError("in the other thread", failure);
        }
    }
}
