// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.single;

import java.util.List;
import java.util.Locale;

/** Numbers for people. */
final class Units {
    private static final double THOUSAND = 1000;

    private Units() {
    }

    /** With a unit that makes it short. */
    static String time(double nanos) {
        double value = nanos;
        for (String unit : List.of("ns", "us", "ms")) {
            if (value < THOUSAND) {
                boolean exact = value >= 10 || value == Math.rint(value);
                return String.format(Locale.ROOT, exact ? "%.0f %s" : "%.1f %s", value, unit);
            }
            value /= THOUSAND;
        }
        return String.format(Locale.ROOT, "%.1f s", value);
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
    }
}
