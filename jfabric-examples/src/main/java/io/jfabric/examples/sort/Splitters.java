// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import java.util.Arrays;

/** The keys at which the records are parted: the lowest of each part but the first. Keys are unsigned. */
public final class Splitters {
    /** A rank gives so many keys, by which all agree who gets what: shares differ by some percent then. */
    private static final int SAMPLE = 8000;

    private Splitters() {
    }

    /** The keys that a rank gives, of the so many records that it makes. */
    public static long[] sample(int rank, int count) {
        int size = Math.min(count, SAMPLE);
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = Records.prefix((long) rank * count + (long) i * count / size);
        }
        return keys;
    }

    /** Parts the keys of all ranks. */
    public static long[] of(long[] keys, int parts) {
        // longs are sorted as signed ones
        long[] sorted = Arrays.stream(keys).map(key -> key ^ Long.MIN_VALUE).sorted().toArray();
        long[] splitters = new long[parts - 1];
        for (int i = 0; i < splitters.length; i++) {
            splitters[i] = sorted.length == 0 ? 0
                    : sorted[(int) ((i + 1L) * sorted.length / parts)] ^ Long.MIN_VALUE;
        }
        return splitters;
    }

    /** The part that a key belongs to. */
    public static int owner(long[] splitters, long key) {
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
}
