// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.examples.sort.AllToAll;
import io.jfabric.examples.sort.InPlace;
import io.jfabric.examples.sort.Memory;
import io.jfabric.examples.sort.Phases;
import io.jfabric.examples.sort.Records;
import io.jfabric.examples.sort.Routes;
import io.jfabric.examples.sort.SortPlot;
import io.jfabric.examples.sort.Splitters;
import io.jfabric.launch.Job;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Sorts records over all processes of a job, and verifies the result as TeraSort does: order, number and checksum. Look
 * at {@link #run}: who the processes are, and where, comes from what started them, be it mpirun, mpiexec, srun or
 * scripts/launch. The memory of a rank is that of its share of the records, and of its JVM; it prints what it had at
 * most.
 *
 * <p>Usage: DistributedSort [PROVIDER [MEGABYTES [FILE.svg]]], such as tcp 64, or shm+tcp 64: shm inside a host, tcp
 * between hosts. The megabytes are those of each rank
 */
public final class DistributedSort {
    /** What an exchange takes at once. */
    private static final int KEYS = Job.LONGEST_VALUE / Long.BYTES;
    private static final int MEGABYTE = 1_000_000;

    private final Job job;
    private final Phases phases = new Phases();
    private final long first;
    private final int count;
    private long found;
    private long checksum;

    private DistributedSort(Job job, int count) {
        this.job = job;
        this.count = count;
        first = (long) job.rank() * count;
    }

    /** Takes a provider, how much each rank makes, and a file for the picture. */
    public static void main(String[] args) throws IOException {
        int megabytes = Arguments.number(args, 1, 16);
        int count = countable((long) megabytes * MEGABYTE / Records.BYTES);
        try (Job job = Job.join()) {
            DistributedSort sort = new DistributedSort(job, count);
            sort.run(args.length > 0 ? args[0] : "tcp");
            sort.report(args.length > 2 ? Path.of(args[2]) : null);
        }
    }

    private static int countable(long records) {
        if (records > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("MEGABYTES: " + records + " records are more than a rank can sort, "
                    + "at most " + Integer.MAX_VALUE);
        }
        return (int) records;
    }

    private void run(String providers) {
        try (Routes routes = Routes.open(job, providers)) {
            phases.done("join");
            run(routes);
            // nobody closes a link that another still talks to
            job.barrier();
        }
    }

    private void run(Routes routes) {
        long[] splitters = sample();
        long[] counts = new long[job.size()];
        for (int i = 0; i < count; i++) {
            counts[Splitters.owner(splitters, Records.prefix(first + i))]++;
        }
        long[][] all = job.exchange(bytes(counts)).stream().map(DistributedSort::longs).toArray(long[][]::new);
        int total = countable(Arrays.stream(all).mapToLong(from -> from[job.rank()]).sum());
        phases.done("sample");

        MemorySegment records = routes.allocate(Math.max(1, (long) total * Records.BYTES));
        AllToAll exchange = new AllToAll(routes, job.rank(), records, all);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += exchange.add(first + i, Splitters.owner(splitters, Records.prefix(first + i)));
        }
        exchange.finish();
        // nobody goes on, and perhaps ends, while others wait for what it has sent
        CompletableFuture<Void> everybody = CompletableFuture.runAsync(job::barrier);
        exchange.until(everybody::isDone);
        everybody.join();
        phases.done("all-to-all");

        InPlace.sort(records, total);
        phases.done("sort");

        verify(records, total, sum);
        phases.done("verify");
    }

    /** The lowest key of each rank but the first. */
    private long[] sample() {
        long[] keys = Splitters.sample(job.rank(), count);
        long[] all = new long[keys.length * job.size()];
        int filled = 0;
        for (int from = 0; from < keys.length; from += KEYS) {
            long[] mine = Arrays.copyOfRange(keys, from, Math.min(keys.length, from + KEYS));
            for (byte[] some : job.exchange(bytes(mine))) {
                ByteBuffer in = ByteBuffer.wrap(some);
                while (in.hasRemaining()) {
                    all[filled++] = in.getLong();
                }
            }
        }
        return Splitters.of(all, job.size());
    }

    /** Each rank looks at its own order; all together at the sums, and at the borders between ranks. */
    private void verify(MemorySegment records, int found, long made) {
        long sum = 0;
        for (long at = 0; at < (long) found * Records.BYTES; at += Records.BYTES) {
            sum += Records.checksum(records, at);
            if (at > 0 && Records.compare(records, at - Records.BYTES, records, at) > 0) {
                throw new IllegalStateException("rank " + job.rank() + ": record " + at / Records.BYTES
                        + " is not in order");
            }
        }
        boolean any = found > 0;
        List<byte[]> all = job.exchange(bytes(count, found, made, sum, any ? Records.prefix(records, 0) : 0,
                any ? Records.prefix(records, (found - 1L) * Records.BYTES) : 0));
        long[] total = new long[4];
        long before = 0;
        for (byte[] rank : all) {
            ByteBuffer in = ByteBuffer.wrap(rank);
            for (int i = 0; i < total.length; i++) {
                total[i] += in.getLong(i * Long.BYTES);
            }
            if (in.getLong(Long.BYTES) > 0) {
                if (Long.compareUnsigned(in.getLong(4 * Long.BYTES), before) < 0) {
                    throw new IllegalStateException("a rank has keys that belong to the one before it");
                }
                before = in.getLong(5 * Long.BYTES);
            }
        }
        if (total[0] != total[1] || total[2] != total[3]) {
            throw new IllegalStateException("made " + total[0] + " records with sum " + total[2] + ", found " + total[1]
                    + " with sum " + total[3]);
        }
        this.found = found;
        checksum = total[2];
    }

    private void report(Path picture) throws IOException {
        long memory = Memory.highest();
        double share = memory / Math.max(1.0, found * Records.BYTES);
        // in one piece: several ranks write to the same pipe
        System.out.println(String.format(Locale.ROOT, "rank %d on %s: %s, %d MB, %.2f of its records", job.rank(),
                job.host(), phases, memory / MEGABYTE, share));
        List<ByteBuffer> all = job.exchange(bytes(memory, Double.doubleToLongBits(share))).stream()
                .map(ByteBuffer::wrap).toList();
        long most = all.stream().mapToLong(rank -> rank.getLong(0)).max().orElseThrow();
        double mostShare = all.stream().mapToDouble(rank -> rank.getDouble(Long.BYTES)).max().orElseThrow();
        List<double[]> seconds = job.exchange(phases.bytes()).stream().map(Phases::seconds).toList();
        if (job.rank() != 0) {
            return;
        }
        // what came before everybody was there is no part of the sort
        double longest = seconds.stream().mapToDouble(s -> Arrays.stream(s).skip(1).sum()).max().orElseThrow();
        long bytes = (long) count * Records.BYTES * job.size();
        System.out.println(String.format(Locale.ROOT, "ok: %d ranks by %s have sorted %d MB in %.2f s, %.3f GB/s, "
                + "verified, checksum %x; a rank had at most %d MB, %.2f of its records", job.size(), job.way(),
                bytes / MEGABYTE, longest, bytes / longest / 1e9, checksum, most / MEGABYTE, mostShare));
        if (picture != null) {
            List<String> ranks = new ArrayList<>();
            for (int rank = 0; rank < job.size(); rank++) {
                ranks.add("rank " + rank + " on " + job.host(rank));
            }
            Files.writeString(picture, SortPlot.svg("Distributed sort of " + bytes / MEGABYTE + " MB over " + job.size()
                    + " ranks", phases.names(), ranks, seconds));
        }
    }

    private static long[] longs(byte[] bytes) {
        long[] numbers = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
        return numbers;
    }

    private static byte[] bytes(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }
}
