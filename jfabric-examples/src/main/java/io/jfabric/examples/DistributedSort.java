// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.examples.sort.AllToAll;
import io.jfabric.examples.sort.InPlace;
import io.jfabric.examples.sort.Memory;
import io.jfabric.examples.sort.Phases;
import io.jfabric.examples.sort.Records;
import io.jfabric.examples.sort.SortPlot;
import io.jfabric.info.Hints;
import io.jfabric.launch.Job;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Sorts records over all processes of a job, and verifies the result as TeraSort does: order, number and checksum. Look
 * at {@link #run}: who the processes are, and where, comes from what started them, be it mpirun, mpiexec, srun or
 * scripts/launch. The memory of a rank is that of its share of the records, and of its JVM; it prints what it had at
 * most.
 *
 * <p>Usage: DistributedSort [PROVIDER [MEGABYTES [FILE.svg]]], such as tcp 64: of each rank
 */
public final class DistributedSort {
    /** A rank gives so many keys, by which all agree who gets what: shares differ by some percent then. */
    private static final int SAMPLE = 8000;
    /** What an exchange takes at once. */
    private static final int KEYS = Job.LONGEST_VALUE / Long.BYTES;
    private static final int MEGABYTE = 1_000_000;

    private final Job job;
    private final Phases phases = new Phases();
    private final long first;
    private final int count;

    private DistributedSort(Job job, int count) {
        this.job = job;
        this.count = count;
        first = (long) job.rank() * count;
    }

    /** Takes a provider, how much each rank makes, and a file for the picture. */
    public static void main(String[] args) throws IOException {
        int megabytes = args.length > 1 ? Integer.parseInt(args[1]) : 16;
        try (Job job = Job.join();
                Hints hints = Hints.rdm().provider(args.length > 0 ? args[0] : "tcp");
                Node node = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Duration.ofMinutes(10)))) {
            DistributedSort sort = new DistributedSort(job, (int) ((long) megabytes * MEGABYTE / Records.BYTES));
            sort.run(node);
            sort.report(args.length > 2 ? Path.of(args[2]) : null);
        }
    }

    private void run(Node node) {
        List<Peer> peers = job.exchange(node);
        phases.done("join");

        long[] splitters = sample();
        long[] counts = new long[job.size()];
        for (int i = 0; i < count; i++) {
            counts[owner(splitters, Records.prefix(first + i))]++;
        }
        long[] mine = new long[job.size()];
        List<byte[]> all = job.exchange(bytes(counts));
        for (int from = 0; from < mine.length; from++) {
            mine[from] = ByteBuffer.wrap(all.get(from)).getLong(job.rank() * Long.BYTES);
        }
        int total = Math.toIntExact(Arrays.stream(mine).sum());
        phases.done("sample");

        MemorySegment records = node.allocate(Math.max(1, (long) total * Records.BYTES));
        AllToAll exchange = new AllToAll(node, peers, job.rank(), records, mine);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += exchange.add(first + i, owner(splitters, Records.prefix(first + i)));
        }
        exchange.finish();
        // nobody goes on, and perhaps ends, while others wait for what it has sent
        job.barrier();
        phases.done("all-to-all");

        InPlace.sort(records, total);
        phases.done("sort");

        verify(records, total, sum);
        phases.done("verify");
    }

    /** The lowest key of each rank but the first. */
    private long[] sample() {
        int size = Math.min(count, SAMPLE);
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = Records.prefix(first + (long) i * count / size);
        }
        long[] all = new long[size * job.size()];
        int filled = 0;
        for (int from = 0; from < size; from += KEYS) {
            for (byte[] some : job.exchange(bytes(Arrays.copyOfRange(keys, from, Math.min(size, from + KEYS))))) {
                ByteBuffer in = ByteBuffer.wrap(some);
                while (in.hasRemaining()) {
                    // longs are sorted as signed ones
                    all[filled++] = in.getLong() ^ Long.MIN_VALUE;
                }
            }
        }
        Arrays.sort(all);
        long[] splitters = new long[job.size() - 1];
        for (int i = 0; i < splitters.length; i++) {
            splitters[i] = filled == 0 ? 0 : all[(int) ((i + 1L) * filled / job.size())] ^ Long.MIN_VALUE;
        }
        return splitters;
    }

    private static int owner(long[] splitters, long key) {
        int low = 0;
        int high = splitters.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(splitters[middle], key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
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
    }

    private void report(Path picture) throws IOException {
        long memory = Memory.highest();
        System.out.printf("rank %d on %s: %s, %d MB%n", job.rank(), job.host(), phases, memory / MEGABYTE);
        long most = job.exchange(bytes(memory)).stream().mapToLong(rank -> ByteBuffer.wrap(rank).getLong()).max()
                .orElseThrow();
        List<double[]> seconds = job.exchange(phases.bytes()).stream().map(Phases::seconds).toList();
        if (job.rank() != 0) {
            return;
        }
        // what came before everybody was there is no part of the sort
        double longest = seconds.stream().mapToDouble(s -> Arrays.stream(s).skip(1).sum()).max().orElseThrow();
        long bytes = (long) count * Records.BYTES * job.size();
        System.out.printf(Locale.ROOT, "ok: %d ranks by %s have sorted %d MB in %.2f s, %.3f GB/s, verified; a rank "
                + "had at most %d MB%n", job.size(), job.way(), bytes / MEGABYTE, longest, bytes / longest / 1e9,
                most / MEGABYTE);
        if (picture != null) {
            List<String> ranks = new ArrayList<>();
            for (int rank = 0; rank < job.size(); rank++) {
                ranks.add("rank " + rank + " on " + job.host(rank));
            }
            Files.writeString(picture, SortPlot.svg("Distributed sort of " + bytes / MEGABYTE + " MB over " + job.size()
                    + " ranks", phases.names(), ranks, seconds));
        }
    }

    private static byte[] bytes(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }
}
