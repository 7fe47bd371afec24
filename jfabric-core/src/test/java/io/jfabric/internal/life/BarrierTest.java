// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The protocol between owner and closer alone, by the accesses of {@link Entry#enter}, with and without the barrier:
 * the closer zeroes the handle and "frees" the object if the owner seems to be outside. {@code -Djfabric.test.rounds}.
 */
class BarrierTest {
    private static final long ROUNDS = Long.getLong("jfabric.test.rounds", 20_000);
    private static final VarHandle FREED;

    static {
        try {
            FREED = MethodHandles.lookup().findVarHandle(BarrierTest.class, "freed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int freed;
    private volatile boolean stop;
    private long entered;
    private long violations;
    private long quiet;

    @Test
    @Tag("long")
    void nobodyIsInsideWhatWasQuietAfterTheBarrier() throws InterruptedException {
        race(ROUNDS, true);
        assertEquals(0, violations);
    }

    @Test
    @Tag("long")
    void withoutTheBarrierTheTestAboveWouldFail() throws InterruptedException {
        race(Math.min(500 * ROUNDS, 20_000_000), false);
        // with one processor at hand there is nothing to see
        assumeTrue(violations > 0, "nobody was met inside: too few processors, or they are busy");
    }

    private void race(long rounds, boolean barrier) throws InterruptedException {
        Bias[] published = new Bias[1];
        Thread owner = new Thread(() -> use(published[0]), "owner");
        Bias b = new Bias(owner, 1, 0);
        published[0] = b;
        owner.start();
        for (long i = 0; i < rounds; i++) {
            // reading takes the cache line from the owner, whose store then has to wait in its store buffer
            for (int k = (int) (i & 15); b.insideNow() == 0 && k >= 0 || k > 0; k--) {
                Thread.onSpinWait();
            }
            Bias.HANDLE.setVolatile(b, 0L);
            if (barrier) {
                Barrier.allThreads();
            }
            if (b.insideNow() == 0) {
                quiet++;
                FREED.setVolatile(this, 1);
                Thread.onSpinWait();
                FREED.setVolatile(this, 0);
            }
            Bias.HANDLE.setVolatile(b, 1L);
        }
        stop = true;
        owner.join();
        System.out.printf("%s barrier: %d rounds, %d times quiet, %d calls, %d uses after free%n",
                barrier ? "with" : "without", rounds, quiet, entered, violations);
    }

    private void use(Bias b) {
        while (!stop) {
            int n = b.inside;
            Bias.INSIDE.setOpaque(b, n + 1);
            if ((long) Bias.HANDLE.getOpaque(b) != 0) {
                entered++;
                int seen = 0;
                for (int k = 0; k < 30; k++) {
                    seen |= (int) FREED.getOpaque(this);
                }
                violations += seen;
            }
            Bias.INSIDE.setRelease(b, n);
        }
    }
}
