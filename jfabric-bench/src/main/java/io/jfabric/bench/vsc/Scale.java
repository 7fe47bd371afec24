// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.AddressVector;
import io.jfabric.AddressVectorAttributes;
import io.jfabric.info.Capability;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Cases of many: addresses, endpoints, threads; twin of scale.c. */
final class Scale {
    private static final int AV_BATCH = 1000;
    private static final int SOCKADDR_BYTES = 16;
    private static final short AF_INET = 2;
    private static final ValueLayout.OfInt NETWORK_INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort NETWORK_SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private final Options options;

    private Scale(Options options) {
        this.options = options;
    }

    static void run(Options options) throws IOException, InterruptedException {
        Scale scale = new Scale(options);
        try (OpenDomain domain = new OpenDomain(options, Capability.TAGGED)) {
            for (Spec spec : options.specs()) {
                switch (spec.name()) {
                    case "threads" -> scale.threads(spec);
                    case "av-insert" -> spec.report(options, "ms", insertAddresses(domain, spec.iterations()));
                    case "endpoints" -> scale.manyEndpoints(spec, domain);
                    default -> throw new IllegalArgumentException("no case " + spec.name());
                }
            }
        }
    }

    private static double insertAddresses(OpenDomain domain, long count) {
        try (Arena arena = Arena.ofConfined();
                AddressVector vector = domain.domain.openAddressVector(
                        AddressVectorAttributes.DEFAULT.withCount(count))) {
            MemorySegment batch = arena.allocate(AV_BATCH * SOCKADDR_BYTES, 8);
            MemorySegment results = arena.allocate(ValueLayout.JAVA_LONG, AV_BATCH);
            long start = System.nanoTime();
            for (long i = 0; i < count; i += AV_BATCH) {
                for (int b = 0; b < AV_BATCH; b++) {
                    long at = (long) b * SOCKADDR_BYTES;
                    batch.set(ValueLayout.JAVA_SHORT, at, AF_INET);
                    batch.set(NETWORK_SHORT, at + 2, (short) 5000);
                    batch.set(NETWORK_INT, at + 4, (int) (0x0a000000 + i + b + 1));
                }
                if (vector.insert(batch, AV_BATCH, results, false) != AV_BATCH) {
                    throw new IllegalStateException("fi_av_insert took only a part");
                }
            }
            return (System.nanoTime() - start) / 1e6;
        }
    }

    private static long residentKib() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4;
    }

    private void manyEndpoints(Spec spec, OpenDomain domain) throws IOException {
        List<Side> sides = new ArrayList<>();
        long before = residentKib();
        long start = System.nanoTime();
        for (long i = 0; i < spec.iterations(); i++) {
            sides.add(new Side(domain, 0));
        }
        for (int round = 0; round < 10; round++) {
            sides.forEach(Side::poll);
        }
        long kib = residentKib() - before;
        sides.forEach(Side::close);
        double ms = (System.nanoTime() - start) / 1e6;
        spec.report(options, "ms", ms);
        spec.renamed("endpoints-memory").report(options, "KiB", kib);
    }

    private void threads(Spec spec) throws InterruptedException {
        int n = spec.bytes();
        double[] ns = new double[n];
        CyclicBarrier barrier = new CyclicBarrier(n);
        Thread[] workers = new Thread[n];
        for (int i = 0; i < n; i++) {
            int index = i;
            workers[i] = new Thread(() -> ns[index] = work(spec, barrier), "worker-" + i);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        spec.report(options, "cpu-ns", ns);
    }

    /** A thread's own domain, endpoint and queue: nothing is shared with the others but the process. */
    private double work(Spec spec, CyclicBarrier barrier) {
        var threads = ManagementFactory.getThreadMXBean();
        double ns = 0;
        try (OpenDomain domain = new OpenDomain(options, Capability.TAGGED); Side side = new Side(domain, 64)) {
            side.connect(side.name());
            for (int pass = 0; pass < 2; pass++) {
                long count = pass == 0 ? spec.warmup() : spec.iterations();
                barrier.await();
                long start = threads.getCurrentThreadCpuTime();
                toItself(side, count);
                ns = (double) (threads.getCurrentThreadCpuTime() - start) / count;
            }
            barrier.await();
            return ns;
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
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
