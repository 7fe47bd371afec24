// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.util.Arrays;
import java.util.Locale;

/**
 * A case on the command line; twin of {@code struct spec}.
 *
 * @param name what to do
 * @param bytes size of a message
 * @param warmup operations before measuring
 * @param iterations operations in a chunk
 */
record Spec(String name, int bytes, long warmup, long iterations) {
    /** Measured this often; the median counts. */
    static final int CHUNKS = 21;
    /** In one process: many chunks, each shorter than a time slice, so that most are undisturbed. */
    static final int SHORT_CHUNKS = 201;

    static Spec parse(String text) {
        String[] parts = text.split(":");
        if (parts.length != 4) {
            throw new IllegalArgumentException("a case is NAME:BYTES:WARMUP:ITERATIONS, not '" + text + "'");
        }
        return new Spec(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }

    /** Prints a result line: the median of the chunks, and the smallest of them. */
    void report(Options options, String unit, double... chunks) {
        double[] sorted = chunks.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        System.out.printf(Locale.ROOT, "result %s %s %d %s %.6g %.6g%n", name, options.provider(), bytes, unit, median,
                sorted[0]);
    }

    Spec renamed(String newName) {
        return new Spec(newName, bytes, warmup, iterations);
    }
}
