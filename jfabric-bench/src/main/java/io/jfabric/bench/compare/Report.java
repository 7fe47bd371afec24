// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What came out of it: as a table, as JSON, as plots, and in the documentation. */
final class Report {
    private static final Set<String> HOT = Set.of("round-trip", "empty-poll", "latency", "message-rate");

    private final Contest contest;
    private final List<Result> results;

    Report(Contest contest, List<Result> results) {
        this.contest = contest;
        this.results = results;
    }

    void print() {
        System.out.println(Result.TEXT_HEAD);
        results.forEach(result -> System.out.println(result.text()));
        contest.fullNames.forEach((name, full) -> System.out.println(name + " is libfabric's " + full));
        System.out.println(Machine.describe());
        contest.failures.forEach(failure -> System.out.println("left out: " + failure));
    }

    void writeJson(Path file) throws IOException {
        Result.write(file, results);
    }

    /** Plots of one library. */
    private static void draw(Path folder, String library, List<Result> rows) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("java-over-c-" + library + ".svg"), RatioPlot.draw(rows, library));
        Files.writeString(folder.resolve("latency-" + library + ".svg"), LatencyPlot.draw(rows, library));
    }

    void draw(Path folder) throws IOException {
        draw(folder, contest.library, results);
    }

    /**
     * Tables and plots into docs/performance.md and the folder beside it, where other libraries' rows stay; so do this
     * one's that were not measured, unless all were.
     */
    void publish(Path docs, boolean all) throws IOException {
        Path json = docs.resolve("performance/bench-vs-c.json");
        List<Result> merged = new ArrayList<>(results);
        Set<Case> measured = results.stream().map(Result::key).collect(Collectors.toSet());
        Result.read(json).stream().filter(old -> !measured.contains(old.key())
                && !(all && contest.library.equals(old.key().library()))).forEach(merged::add);
        merged.sort((a, b) -> a.key().library().compareTo(b.key().library()));
        Result.write(json, merged);
        List<Result> own = merged.stream().filter(row -> row.key().library().equals(contest.library)).toList();
        draw(docs.resolve("performance"), contest.library, own);
        Page page = new Page(docs.resolve("performance.md"));
        page.replace("what counts most", Result.HEAD + merged.stream().filter(Report::isHot).map(Result::markdown)
                .collect(Collectors.joining()));
        page.replace("libfabric " + contest.library, section(own));
        page.write();
    }

    private static boolean isHot(Result row) {
        return HOT.contains(row.key().name()) && row.key().bytes() <= 8
                && (row.key().provider().equals("shm") || row.key().name().equals("latency"));
    }

    private String section(List<Result> rows) {
        String library = contest.library;
        return Result.HEAD + rows.stream().map(Result::markdown).collect(Collectors.joining()) + "\n"
                + contest.fullNames.entrySet().stream().map(e -> "`" + e.getKey() + "` is `" + e.getValue() + "`")
                        .collect(Collectors.joining(", ")) + ".\n" + Machine.describe() + ".\n"
                + (contest.failures.isEmpty() ? "Nothing failed.\n" : "\nFailed:\n\n"
                        + contest.failures.stream().map(f -> "- " + f + "\n").collect(Collectors.joining()))
                + "\n![Java over C, libfabric " + library + "](performance/java-over-c-" + library + ".svg)\n\n"
                + "![Latency, libfabric " + library + "](performance/latency-" + library + ".svg)\n";
    }
}
