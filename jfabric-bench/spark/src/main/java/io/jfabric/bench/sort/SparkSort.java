// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.sort;

import io.jfabric.examples.sort.Memory;
import io.jfabric.examples.sort.Records;
import io.jfabric.examples.sort.Splitters;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.LongAccumulator;
import scala.Tuple2;

/**
 * What {@code DistributedSort} does, by Apache Spark: the same records, made by as many executors of one core, parted
 * at the same keys, sorted and verified by the same checksums.
 *
 * <p>Usage: SparkSort RANKS MEGABYTES PARTS DIRECTORY: megabytes of each rank; parts that each executor sorts, one
 * after the other; a directory for what is shuffled
 */
public final class SparkSort {
    private static final int MEGABYTE = 1_000_000;
    private static final int KEY = 10;
    private static final byte[] NOTHING = {};

    private SparkSort() {
    }

    /** Unsigned bytes of the key. */
    private static final class ByKey implements Comparator<byte[]>, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public int compare(byte[] one, byte[] other) {
            return Arrays.compareUnsigned(one, 0, Math.min(KEY, one.length), other, 0, KEY);
        }
    }

    /** The rank that a record belongs to, and the part of it. */
    private static final class ByRange extends Partitioner {
        private static final long serialVersionUID = 1;
        private final long[] splitters;

        ByRange(long... splitters) {
            this.splitters = splitters;
        }

        @Override
        public int numPartitions() {
            return splitters.length + 1;
        }

        @Override
        public int getPartition(Object record) {
            return Splitters.owner(splitters, Records.prefix(MemorySegment.ofArray((byte[]) record), 0));
        }
    }

    /** The records of a rank, made when they are asked for. */
    private static final class Made implements Iterator<Tuple2<byte[], byte[]>> {
        private final long end;
        private final LongAccumulator sum;
        private long next;
        private long soFar;

        Made(long first, int count, LongAccumulator sum) {
            next = first;
            end = first + count;
            this.sum = sum;
        }

        @Override
        public boolean hasNext() {
            return next < end;
        }

        @Override
        public Tuple2<byte[], byte[]> next() {
            byte[] record = new byte[Records.BYTES];
            MemorySegment segment = MemorySegment.ofArray(record);
            Records.generate(next++, segment, 0);
            soFar += Records.checksum(segment, 0);
            if (next == end) {
                sum.add(soFar);
            }
            return new Tuple2<>(record, NOTHING);
        }
    }

    /** What was found in a part. No record, which the Kryo of Spark cannot send. */
    private static final class Found implements Serializable {
        private static final long serialVersionUID = 1;
        private long count;
        private long sum;
        private byte[] first = NOTHING;
        private byte[] last = NOTHING;
        private long memory;

        static Found in(Iterator<Tuple2<byte[], byte[]>> records) throws IOException {
            Comparator<byte[]> order = new ByKey();
            Found found = new Found();
            while (records.hasNext()) {
                byte[] record = records.next()._1();
                found.sum += Records.checksum(MemorySegment.ofArray(record), 0);
                found.count++;
                if (order.compare(found.last, record) > 0) {
                    throw new IllegalStateException("record " + found.count + " of a part is not in order");
                }
                found.first = found.count == 1 ? record : found.first;
                found.last = record;
            }
            found.memory = Memory.highest();
            return found;
        }
    }

    /** Sorts once. */
    public static void main(String[] args) {
        int ranks = Integer.parseInt(args[0]);
        int count = (int) (Long.parseLong(args[1]) * MEGABYTE / Records.BYTES);
        int parts = Integer.parseInt(args[2]) * ranks;
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("sort")
                .set("spark.local.dir", args[3]))) {
            awaitExecutors(spark, ranks);
            long begin = System.nanoTime();
            LongAccumulator made = spark.sc().longAccumulator();
            List<Integer> all = IntStream.range(0, ranks).boxed().toList();
            List<Found> found = spark.parallelize(all, ranks)
                    .mapPartitionsToPair(rank -> new Made((long) rank.next() * count, count, made))
                    .repartitionAndSortWithinPartitions(new ByRange(Splitters.of(ranks, count, parts)), new ByKey())
                    .mapPartitions(records -> List.of(Found.in(records)).iterator()).collect();
            double seconds = (System.nanoTime() - begin) / 1e9;
            verify(found, made.sum(), (long) ranks * count);
            long bytes = (long) ranks * count * Records.BYTES;
            System.out.printf(Locale.ROOT, "ok: %d ranks by SPARK have sorted %d MB in %.2f s, %.3f GB/s, verified, "
                    + "checksum %x; a rank had at most %d MB%n", ranks, bytes / MEGABYTE, seconds,
                    bytes / seconds / 1e9, made.sum(),
                    found.stream().mapToLong(part -> part.memory).max().orElseThrow() / MEGABYTE);
        }
    }

    /** All ranks are there before the time is taken, as with the other. */
    private static void awaitExecutors(JavaSparkContext spark, int ranks) {
        // the driver counts as one
        while (spark.sc().statusTracker().getExecutorInfos().length < ranks + 1) {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void verify(List<Found> found, long made, long count) {
        Comparator<byte[]> order = new ByKey();
        byte[] last = NOTHING;
        long records = 0;
        long sum = 0;
        for (Found part : found) {
            if (part.count > 0) {
                if (order.compare(last, part.first) > 0) {
                    throw new IllegalStateException("a part has keys that belong to the one before it");
                }
                last = part.last;
            }
            records += part.count;
            sum += part.sum;
        }
        if (records != count || sum != made) {
            throw new IllegalStateException("made " + count + " records with sum " + made + ", found " + records
                    + " with sum " + sum);
        }
    }
}
