// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

/**
 * A case on the command line; twin of {@code struct spec}.
 *
 * @param name what to do
 * @param bytes size of a message
 * @param warmup operations before measuring
 * @param iterations operations in a chunk
 * @param chunks chunks in a turn
 */
record Spec(String name, int bytes, long warmup, long iterations, int chunks) {
    private static final int CHUNKS = 9;

    static Spec parse(String text) {
        String[] parts = text.split(":");
        if (parts.length != 4 && parts.length != 5) {
            throw new IllegalArgumentException("a case is NAME:BYTES:WARMUP:ITERATIONS[:CHUNKS], not '" + text + "'");
        }
        return new Spec(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]),
                parts.length == 5 ? Integer.parseInt(parts[4]) : CHUNKS);
    }
}
