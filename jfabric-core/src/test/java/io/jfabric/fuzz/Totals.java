// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sums over runs, kept in files, so that a campaign can consist of several invocations. */
final class Totals {
    /** What the columns of a provider's row are. */
    private static final String[] COLUMNS = {"runs", "calls", "crashes", "hangs", "undocumented exceptions",
        "late returns", "broken memory", "RSS growth, MB", "fd growth", "/dev/shm growth",
        "first seed", "last seed"};
    private static final int FIRST_SEED = 10;
    private static final int LEAST = 40;
    private static final long GOAL = 1000;

    private final Path methodsFile;
    private final Path rowsFile;
    private final Api api;
    private final Map<String, long[]> methods = new TreeMap<>();
    private final Map<String, long[]> rows = new LinkedHashMap<>();

    Totals(Path directory, Api api) throws IOException {
        this.api = api;
        Files.createDirectories(directory);
        methodsFile = directory.resolve("methods.tsv");
        rowsFile = directory.resolve("providers.tsv");
        read(methodsFile, methods);
        read(rowsFile, rows);
        Also.wanted(api).forEach(t -> methods.putIfAbsent(t.name(), new long[2]));
        methods.keySet().retainAll(Also.wanted(api).stream().map(Target::name).toList());
    }

    private static void read(Path file, Map<String, long[]> into) throws IOException {
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] fields = line.split("\t");
                into.put(fields[0], Arrays.stream(fields).skip(1).mapToLong(Long::parseLong).toArray());
            }
        }
    }

    private static void write(Path file, Map<String, long[]> from) throws IOException {
        List<String> lines = new ArrayList<>();
        from.forEach((name, values) -> {
            StringBuilder line = new StringBuilder(name);
            Arrays.stream(values).forEach(v -> line.append('\t').append(v));
            lines.add(line.toString());
        });
        Files.write(file, lines);
    }

    void add(Ring ring) {
        Also.wanted(api).forEach(t -> {
            long[] sums = methods.get(t.name());
            sums[0] += ring.calls(t.index());
            sums[1] += ring.succeeded(t.index());
        });
    }

    void add(String row, Outcome outcome) throws IOException {
        boolean isFirst = !rows.containsKey(row);
        long[] sums = rows.computeIfAbsent(row, r -> new long[COLUMNS.length]);
        long[] more = {1, outcome.calls(), outcome.kind().equals("crash") ? 1 : 0,
            outcome.kind().equals("hang") ? 1 : 0, outcome.undocumented(), outcome.late(), outcome.broken(),
            outcome.rss() >> 20, outcome.fds(), outcome.shm(), outcome.seed(), outcome.seed()};
        for (int i = 0; i < 7; i++) {
            sums[i] += more[i];
        }
        // the worst run counts: each is a JVM of its own
        for (int i = 7; i < COLUMNS.length; i++) {
            sums[i] = i == FIRST_SEED && !isFirst ? Math.min(sums[i], more[i]) : Math.max(sums[i], more[i]);
        }
        write(methodsFile, methods);
        write(rowsFile, rows);
    }

    String table() {
        StringBuilder text = new StringBuilder("| libfabric, provider, threads | ")
                .append(String.join(" | ", COLUMNS)).append(" |\n|---|").append("---:|".repeat(COLUMNS.length))
                .append('\n');
        rows.forEach((name, values) -> {
            text.append("| ").append(name).append(" |");
            Arrays.stream(values).forEach(v -> text.append(' ').append(String.format("%,d", v)).append(" |"));
            text.append('\n');
        });
        return text.toString();
    }

    String coverage() {
        long below = methods.values().stream().filter(v -> v[0] < GOAL).count();
        long calls = methods.values().stream().mapToLong(v -> v[0]).sum();
        StringBuilder text = new StringBuilder(String.format("%,d public methods and constructors, %,d calls; %,d of "
                + "them were called less than %,d times, %,d never came back normally.%n%n", methods.size(), calls,
                below, GOAL, methods.values().stream().filter(v -> v[1] == 0).count()));
        text.append("The least called:\n\n| Method | calls | without an exception |\n|---|---:|---:|\n");
        methods.entrySet().stream().sorted(Comparator.comparingLong(e -> e.getValue()[0])).limit(LEAST)
                .forEach(e -> row(text, e));
        return text.toString();
    }

    private static void row(StringBuilder text, Map.Entry<String, long[]> e) {
        text.append(String.format("| `%s` | %,d | %,d |%n", e.getKey(), e.getValue()[0], e.getValue()[1]));
    }

    /** The whole page. */
    String page() {
        StringBuilder text = new StringBuilder("# What the fuzzer called\n\nWritten by `scripts/fuzz --publish`. The "
                + "fuzzer calls every public method of every exported package, in random order, with random arguments, "
                + "good and bad. Growth is that of the worst run.\n\n").append(table()).append('\n')
                .append(coverage());
        if (!Also.isChosen()) {
            leftOut(text);
        }
        text.append("\n## All methods\n\n| Method | calls | without an exception |\n|---|---:|---:|\n");
        methods.entrySet().forEach(e -> row(text, e));
        return text.toString();
    }

    private void leftOut(StringBuilder text) {
        text.append("\n## Not called\n\n");
        api.excluded.forEach(name -> text.append("- `").append(name).append("`: ").append(Exclusions.REASONS.get(
                name.replaceFirst("\\(.*", "").replaceFirst(".*\\.", ""))).append('\n'));
        text.append("\n## Left out\n\nKnown to crash in libfabric 1.17 to 2.1, whatever the library does "
                + "([providers](providers.md)):\n\n");
        new TreeMap<>(Known.REASONS).forEach((provider, why) -> text.append("- `").append(provider).append("`: ")
                .append(why).append('\n'));
        text.append("\n## Seldom called\n\nLess than ").append(GOAL).append(" times in these runs, by the type they "
                + "belong to:\n\n");
        Map<String, Integer> seldom = new TreeMap<>();
        methods.forEach((name, sums) -> {
            if (sums[0] < GOAL) {
                seldom.merge(name.replaceFirst("\\.[^.(]*\\(.*", ""), 1, Integer::sum);
            }
        });
        seldom.forEach((type, count) -> text.append("- `").append(type).append("`: ").append(count).append(" method(s)")
                .append(Known.SELDOM.containsKey(type) ? ": " + Known.SELDOM.get(type) : "").append('\n'));
    }
}
