// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What all pairs of runs gave for a case. */
final class Row {
    final Case key;
    private final List<Double> c = new ArrayList<>();
    private final List<Double> java = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();

    Row(Case key) {
        this.key = key;
    }

    /** What a pair gave, turn by turn. */
    void add(List<Double> cTurns, List<Double> javaTurns) {
        List<Double> turns = new ArrayList<>();
        for (int i = 0; i < cTurns.size(); i++) {
            turns.add(javaTurns.get(i) / cTurns.get(i));
        }
        c.add(median(cTurns));
        java.add(median(javaTurns));
        ratios.add(median(turns));
    }

    int pairs() {
        return c.size();
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
    }

    double c() {
        return median(c);
    }

    double java() {
        return median(java);
    }

    /** The median of the pairs' ratios, each the median of turns that C and Java took right after each other. */
    double ratio() {
        return median(ratios);
    }

    double lowest() {
        return Collections.min(ratios);
    }

    double highest() {
        return Collections.max(ratios);
    }

    String text() {
        return String.format(Locale.ROOT, "%-17s %-4s %9d %-7s %11.4g %11.4g  %5.2f  %5.2f .. %5.2f  (%s is better)",
                key.name(), key.provider(), key.bytes(), key.unit(), c(), java(), ratio(), lowest(), highest(),
                key.isRate() ? "more" : "less");
    }

    String markdown() {
        return String.format(Locale.ROOT, "| %s | %s | %s | %s | %s | %s | %.2f | %.2f .. %.2f |%n", key.name(),
                key.provider(), key.bytes() == 0 ? "" : key.bytes(), key.unit(), rounded(c()), rounded(java()),
                ratio(), lowest(), highest());
    }

    /** Three digits. */
    private static String rounded(double value) {
        return new BigDecimal(value).round(new MathContext(value >= 1000 ? 4 : 3)).toPlainString();
    }

    String json() {
        return String.format(Locale.ROOT, "  {\"case\": \"%s\", \"provider\": \"%s\", \"bytes\": %d, \"unit\": \"%s\", "
                + "\"c\": %.6g, \"java\": %.6g, \"ratio\": %.4f, \"ratioMin\": %.4f, \"ratioMax\": %.4f, "
                + "\"pairs\": %d}", key.name(), key.provider(), key.bytes(), key.unit(), c(), java(), ratio(), lowest(),
                highest(), pairs());
    }
}
