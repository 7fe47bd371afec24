// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

/**
 * The key of a row of the table.
 *
 * @param name what was measured
 * @param library major and minor version of libfabric, such as {@code 2.1}
 * @param provider on what: shm, tcp, rxm or a name of libfabric's
 * @param bytes message size, or number of threads
 * @param setting default, tuned or raw
 * @param barrier whether Java ran with UseSystemMemoryBarrier
 * @param unit of the values
 */
record Case(String name, String library, String provider, int bytes, String setting, boolean barrier, String unit) {
    /** Whether larger is better: then the ratio is Java's rate over C's, else Java's cost over C's. */
    boolean isRate() {
        return unit.endsWith("/s");
    }

    /** Empty where it says nothing. */
    String size() {
        return bytes == 0 ? "" : Integer.toString(bytes);
    }

    /** For a plot: what differs from the usual is named. */
    String label() {
        return name + " " + provider + " " + size() + (setting.equals("default") ? "" : " " + setting)
                + (barrier ? "" : " no flag");
    }
}
