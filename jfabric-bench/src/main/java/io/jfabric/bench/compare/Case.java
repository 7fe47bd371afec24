// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

/**
 * A measurement of one program: the key of a row of the table.
 *
 * @param name what was measured
 * @param provider on what
 * @param bytes message size, or number of threads
 * @param unit of the values
 */
record Case(String name, String provider, int bytes, String unit) {
    /** Whether larger is better: then the ratio is Java's rate over C's, else Java's cost over C's. */
    boolean isRate() {
        return unit.endsWith("/s");
    }
}
