// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A row of the table.
 *
 * @param key of what
 * @param c median of the pairs
 * @param single of C without a second thread; NaN if that was not measured
 * @param java median of the pairs
 * @param ratio of Java to C
 * @param lowest the ratio of the lowest pair
 * @param highest the ratio of the highest pair
 * @param pairs how many
 */
record Result(Case key, double c, double single, double java, double ratio, double lowest, double highest,
        int pairs) {
    static final String HEAD = "| case | library | provider | bytes | setting | flag | unit | C | C, one thread | Java "
            + "| ratio | lowest .. highest | pairs |\n|---|---|---|---:|---|---|---|---:|---:|---:|---:|---|---:|\n";
    static final String TEXT_HEAD = String.format("%-17s %-4s %-4s %9s %-8s %-4s %-7s %11s %11s %11s  %5s  %s", "case",
            "lib", "prov", "bytes", "setting", "flag", "unit", "C", "C, single", "Java", "ratio",
            "lowest .. highest (pairs)");
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\": (?:\"([^\"]*)\"|([^,}]+))");

    String text() {
        return String.format(Locale.ROOT, "%-17s %-4s %-4s %9d %-8s %-4s %-7s %11.4g %11s %11.4g  %5.2f  "
                + "%5.2f .. %5.2f (%d)  %s is better", key.name(), key.library(), key.provider(), key.bytes(),
                key.setting(), flag(), key.unit(), c, rounded(single), java, ratio, lowest, highest, pairs,
                key.isRate() ? "more" : "less");
    }

    String markdown() {
        return String.format(Locale.ROOT, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %.2f | %.2f .. %.2f "
                + "| %d |%n", key.name(), key.library(), key.provider(), key.size(), key.setting(), flag(),
                key.unit(), rounded(c), rounded(single), rounded(java), ratio, lowest, highest, pairs);
    }

    private String flag() {
        return key.barrier() ? "yes" : "no";
    }

    /** Three digits. */
    private static String rounded(double value) {
        return Double.isNaN(value) ? ""
                : new BigDecimal(value).round(new MathContext(value >= 1000 ? 4 : 3)).toPlainString();
    }

    String json() {
        return String.format(Locale.ROOT, "  {\"case\": \"%s\", \"library\": \"%s\", \"provider\": \"%s\", "
                + "\"bytes\": %d, \"setting\": \"%s\", \"barrier\": %b, \"unit\": \"%s\", \"c\": %.6g, %s"
                + "\"java\": %.6g, \"ratio\": %.4f, \"ratioMin\": %.4f, \"ratioMax\": %.4f, \"pairs\": %d}",
                key.name(), key.library(), key.provider(), key.bytes(), key.setting(), key.barrier(), key.unit(), c,
                Double.isNaN(single) ? "" : String.format(Locale.ROOT, "\"cSingle\": %.6g, ", single), java, ratio,
                lowest, highest, pairs);
    }

    /** A line each. */
    static void write(Path file, List<Result> results) throws IOException {
        Files.writeString(file, results.stream().map(Result::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    /** What {@link #write} has written; nothing if there is no such file. */
    static List<Result> read(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file).stream().filter(line -> line.contains("{"))
                .map(Result::parse).toList() : List.of();
    }

    private static Result parse(String line) {
        Map<String, String> fields = new HashMap<>();
        for (Matcher field = FIELD.matcher(line); field.find();) {
            fields.put(field.group(1), field.group(2) != null ? field.group(2) : field.group(3));
        }
        Case key = new Case(fields.get("case"), fields.get("library"), fields.get("provider"),
                Integer.parseInt(fields.get("bytes")), fields.get("setting"),
                Boolean.parseBoolean(fields.get("barrier")), fields.get("unit"));
        return new Result(key, number(fields, "c"), number(fields, "cSingle"), number(fields, "java"),
                number(fields, "ratio"), number(fields, "ratioMin"), number(fields, "ratioMax"),
                Integer.parseInt(fields.get("pairs")));
    }

    private static double number(Map<String, String> fields, String name) {
        return Double.parseDouble(fields.getOrDefault(name, "NaN"));
    }
}
