// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.info.Capability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Threads with a domain, endpoint and queue of their own; twin of the second half of scale.c. */
final class Threads {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final Options options;
    private final Spec spec;
    private final CyclicBarrier barrier;
    private final double[] ns;
    private boolean over;

    private Threads(Options options, Spec spec) {
        this.options = options;
        this.spec = spec;
        barrier = new CyclicBarrier(spec.bytes() + 1);
        ns = new double[spec.bytes()];
    }

    /** The number of threads is in {@code spec.bytes()}. */
    static void run(Options options, Spec spec) throws IOException, InterruptedException {
        Threads team = new Threads(options, spec);
        Thread[] workers = new Thread[spec.bytes()];
        for (int i = 0; i < workers.length; i++) {
            int index = i;
            workers[i] = new Thread(() -> team.work(index), "worker-" + i);
            workers[i].setDaemon(true);
            workers[i].start();
        }
        new Turns(options, null).take(spec, "cpu-ns", team::together);
        team.over = true;
        team.await();
        for (Thread worker : workers) {
            worker.join();
        }
    }

    /** All threads at once; CPU nanoseconds that a message to itself costs one. */
    private double together() {
        await();
        await();
        return Turns.median(ns);
    }

    private void await() {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nothing is shared with the others but the process. */
    private void work(int index) {
        try (OpenDomain domain = new OpenDomain(options, Capability.TAGGED); Side side = new Side(domain, 64)) {
            side.connect(side.name());
            while (true) {
                await();
                if (over) {
                    break;
                }
                long start = CLOCK.getCurrentThreadCpuTime();
                toItself(side, spec.iterations());
                ns[index] = (double) (CLOCK.getCurrentThreadCpuTime() - start) / spec.iterations();
                await();
            }
        } catch (RuntimeException e) {
            // the others would wait for this one
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void toItself(Side side, long count) {
        long sent = side.sent;
        long received = side.received;
        for (long i = 0; i < count; i++) {
            side.receive(8, 7);
            side.send(8, 7);
            side.awaitSent(++sent);
            side.awaitReceived(++received);
        }
    }
}
