// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.single;

import io.jfabric.Fabric;
import io.jfabric.bench.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The slowest of millions of round trips: of C, of Java alone, of Java beside a thread that makes garbage. */
public final class Tail {
    private static final String GARBAGE = "500";
    private static final String LAST = "100";

    private final Arguments arguments;
    private final Map<Variant, TreeMap<Double, Double>> percentiles = new LinkedHashMap<>();

    private Tail(Arguments arguments) {
        this.arguments = arguments;
    }

    /**
     * Measures.
     *
     * @param args the C program, then options: see scripts/bench-tail
     * @throws IOException if a program fails or a file cannot be written
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        new Tail(CommandLines.parse(Arguments::new, args)).run();
        // the watchdogs may not keep this from ending
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException {
        long count = arguments.quick ? 300_000 : 5_000_000;
        int cpus = Runtime.getRuntime().availableProcessors();
        List<String> work = List.of("tail", "-p", arguments.provider, "-s", "tuned", "-C",
                Integer.toString(cpus > 1 ? cpus - 1 : -1), "x:8:" + count / 5 + ":" + count);
        List<String> beside = new ArrayList<>(work);
        beside.addAll(1, List.of("-g", GARBAGE));
        once(Variant.c(arguments.program), work);
        for (String gc : List.of("G1", "Serial", "Z")) {
            List<String> flags = List.of("-XX:+Use" + gc + "GC", "-Xmx1g");
            String id = gc.toLowerCase(Locale.ROOT);
            if (gc.equals("G1")) {
                once(Variant.java("Java alone, G1", "java-alone", flags), work);
            }
            once(Variant.java("Java beside garbage, " + (gc.equals("Z") ? "ZGC" : gc), "java-garbage-" + id, flags),
                    beside);
        }
        print(count);
        if (arguments.json != null) {
            Files.writeString(arguments.json, percentiles.entrySet().stream().map(e -> json(e.getKey(), e.getValue(),
                    count)).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
        }
        if (arguments.svg != null) {
            Files.createDirectories(arguments.svg);
            Files.writeString(arguments.svg.resolve("tail.svg"), plot());
        }
    }

    private void once(Variant variant, List<String> work) throws IOException, InterruptedException {
        System.err.println(variant.title());
        TreeMap<Double, Double> found = new TreeMap<>();
        variant.run(work, line -> {
            String[] words = line.split(" ");
            if (words[0].equals("percentile")) {
                found.put(Double.valueOf(words[1]), Double.valueOf(words[2]));
            }
        });
        if (!found.containsKey(Double.valueOf(LAST))) {
            throw new IOException(variant.title() + " said nothing");
        }
        percentiles.put(variant, found);
    }

    private static String name(double percentile) {
        return percentile == Double.parseDouble(LAST) ? "max"
                : "p" + (percentile == Math.rint(percentile) ? Long.toString((long) percentile) : percentile);
    }

    private void print(long count) {
        System.out.printf(Locale.ROOT, "libfabric %s, JDK %s, %s: %,d round trips in process, %s MB/s of garbage%n",
                Fabric.version(), Runtime.version(), arguments.provider, count, GARBAGE);
        System.out.printf("%-30s%s%n", "", percentiles.values().iterator().next().keySet().stream()
                .map(p -> String.format("%10s", name(p))).collect(Collectors.joining()));
        percentiles.forEach((variant, found) -> System.out.printf("%-30s%s%n", variant.title(),
                found.values().stream().map(ns -> String.format("%10s", Units.time(ns)))
                        .collect(Collectors.joining())));
    }

    private String json(Variant variant, Map<Double, Double> found, long count) {
        return String.format(Locale.ROOT, "  {\"variant\": \"%s\", \"library\": \"%d.%d\", \"provider\": \"%s\", "
                + "\"roundTrips\": %d, \"unit\": \"ns\", %s}", variant.id(), Fabric.version().major(),
                Fabric.version().minor(), arguments.provider, count, found.entrySet().stream()
                        .map(e -> String.format(Locale.ROOT, "\"%s\": %.0f", name(e.getKey()), e.getValue()))
                        .collect(Collectors.joining(", ")));
    }

    /** Each further nine is a step to the right; the maximum one more. */
    private String plot() {
        Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
        Map<Double, String> marks = new TreeMap<>();
        percentiles.forEach((variant, found) -> {
            TreeMap<Double, Double> line = new TreeMap<>();
            for (var entry : found.entrySet()) {
                double rest = 100 - entry.getKey();
                double at = rest > 0 ? 2 - Math.log10(rest) : line.lastKey() + 1;
                line.put(at, entry.getValue());
                marks.put(at, name(entry.getKey()));
            }
            lines.put(variant.title(), line);
        });
        return Plot.draw("Round trips in process beside garbage, libfabric " + Fabric.version() + ", "
                + arguments.provider, lines, marks);
    }
}
