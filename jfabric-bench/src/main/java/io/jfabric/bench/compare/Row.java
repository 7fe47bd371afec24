// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What all pairs of runs gave for a case. */
final class Row {
    private final List<Double> c = new ArrayList<>();
    private final List<Double> single = new ArrayList<>();
    private final List<Double> java = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();

    /** What a pair gave, turn by turn: of C, of Java, and perhaps of C of a single thread. */
    void add(List<List<Double>> turns) {
        List<Double> cTurns = turns.get(0);
        List<Double> javaTurns = turns.get(1);
        List<Double> each = new ArrayList<>();
        for (int i = 0; i < cTurns.size(); i++) {
            each.add(javaTurns.get(i) / cTurns.get(i));
        }
        c.add(median(cTurns));
        java.add(median(javaTurns));
        ratios.add(median(each));
        if (turns.size() > 2) {
            single.add(median(turns.get(2)));
        }
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n == 0 ? Double.NaN : n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
    }

    /** The ratio is the median of the pairs', each the median of turns that C and Java took right after each other. */
    Result result(Case key) {
        return new Result(key, median(c), median(single), median(java), median(ratios), Collections.min(ratios),
                Collections.max(ratios), c.size());
    }
}
