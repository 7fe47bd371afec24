// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import io.jfabric.Fabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What came out of it: as a table, as JSON, as plots, and in the documentation. */
final class Report {
    private static final String BEGIN = "<!-- bench-vs-c: written by scripts/bench-vs-c --publish -->\n";
    private static final String END = "<!-- end of bench-vs-c -->\n";

    private final Contest contest;
    private final List<Row> rows;

    Report(Contest contest) {
        this.contest = contest;
        rows = List.copyOf(contest.rows.values());
    }

    void print() {
        System.out.println(
                "case              prov     bytes unit              C        Java  ratio  lowest .. highest");
        rows.forEach(row -> System.out.println(row.text()));
        contest.fullNames.forEach((name, full) -> System.out.println(name + " is libfabric's " + full));
        System.out.println(machine());
        contest.failures.forEach(failure -> System.out.println("left out: " + failure));
    }

    private static String machine() {
        String cpu = "CPU of unknown model";
        try {
            cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream().filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 2)).findFirst().orElse(cpu);
        } catch (IOException e) {
            // no Linux
        }
        return Runtime.getRuntime().availableProcessors() + " CPUs (" + cpu + "), " + System.getProperty("os.name")
                + " " + System.getProperty("os.version").replaceAll("[^0-9.].*", "") + ", libfabric "
                + Fabric.version() + ", JDK " + System.getProperty("java.version") + ", "
                + System.getProperty("bench.flags", "").trim();
    }

    void writeJson(Path file) throws IOException {
        Files.writeString(file, rows.stream().map(Row::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    void draw(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("java-over-c.svg"), RatioPlot.draw(rows));
        Files.writeString(folder.resolve("latency.svg"), LatencyPlot.draw(rows));
    }

    /** Table and plots into docs/performance.md and the folder beside it. */
    void publish(Path docs) throws IOException {
        Path page = docs.resolve("performance.md");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no place for the table: " + BEGIN);
        }
        draw(docs.resolve("performance"));
        writeJson(docs.resolve("performance/bench-vs-c.json"));
        Files.writeString(page, text.substring(0, begin + BEGIN.length()) + "\n" + markdown() + text.substring(end));
    }

    private String markdown() {
        int pairs = rows.stream().mapToInt(Row::pairs).max().orElse(0);
        return "| case | provider | bytes | unit | C | Java | ratio | lowest .. highest |\n"
                + "|---|---|---:|---|---:|---:|---:|---|\n"
                + rows.stream().map(Row::markdown).collect(Collectors.joining())
                + "\nMedians over " + pairs + " pairs. " + contest.fullNames.entrySet().stream()
                        .map(e -> "`" + e.getKey() + "` is `" + e.getValue() + "`").collect(Collectors.joining(", "))
                + ".\n" + machine() + ".\n\n"
                + "![Java over C](performance/java-over-c.svg)\n\n![Latency](performance/latency.svg)\n\n";
    }
}
