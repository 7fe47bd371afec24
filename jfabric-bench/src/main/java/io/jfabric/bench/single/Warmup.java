// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.single;

import io.jfabric.Fabric;
import io.jfabric.bench.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The time to the first message, and the first round trips, of C and of Java started in several ways. */
public final class Warmup {
    private static final List<String> LEAN = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-XX:-UsePerfData");
    private static final int ROUNDS = 7;
    private static final int QUICK_ROUNDS = 2;

    private final Arguments arguments;
    private final List<String> work;
    private final Map<Variant, Times> times = new LinkedHashMap<>();

    /** What the rounds gave, in nanoseconds. */
    private static final class Times {
        private final List<Double> fromStart = new ArrayList<>();
        private final List<Double> first = new ArrayList<>();
        private final List<Double> total = new ArrayList<>();
        private final TreeMap<Double, List<Double>> curve = new TreeMap<>();
    }

    private Warmup(Arguments arguments) {
        this.arguments = arguments;
        work = List.of("first", "-p", arguments.provider, "x:8:0:" + (arguments.quick ? 10_000 : 100_000));
    }

    /**
     * Measures.
     *
     * @param args the C program, then options: see scripts/bench-warmup
     * @throws IOException if a program fails or a file cannot be written
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        new Warmup(CommandLines.parse(Arguments::new, args)).run();
        // the watchdogs may not keep this from ending
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException {
        List<Variant> variants = new ArrayList<>(List.of(Variant.c(arguments.program)));
        variants.add(Variant.java("Java", "java", List.of()));
        variants.add(withCache("Java, AOT cache", "java-aot", List.of()));
        variants.add(Variant.java("Java, C1 and Serial GC", "java-lean", LEAN));
        variants.add(withCache("Java, AOT cache, C1, Serial", "java-aot-lean", LEAN));
        int rounds = arguments.quick ? QUICK_ROUNDS : ROUNDS;
        for (int round = 1; round <= rounds; round++) {
            System.err.println("round " + round + " of " + rounds);
            for (Variant variant : variants) {
                once(variant, times.computeIfAbsent(variant, v -> new Times()));
            }
        }
        print();
        if (arguments.json != null) {
            Files.writeString(arguments.json, times.entrySet().stream().map(e -> json(e.getKey(), e.getValue()))
                    .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
        }
        if (arguments.svg != null) {
            Files.createDirectories(arguments.svg);
            Files.writeString(arguments.svg.resolve("warmup.svg"), plot());
        }
    }

    /** The cache of a training run that does the same, made with the flags that will use it. */
    private Variant withCache(String title, String id, List<String> flags) throws IOException, InterruptedException {
        Path folder = Path.of(arguments.program).toAbsolutePath().getParent().resolve("aot");
        Path cache = folder.resolve(id + ".aot");
        Files.createDirectories(folder);
        Files.deleteIfExists(cache);
        System.err.println("making " + cache);
        List<String> training = new ArrayList<>(flags);
        training.addAll(List.of("-Xlog:disable", "-XX:AOTCacheOutput=" + cache));
        Variant.java(title, id, training).run(work, line -> { });
        if (!Files.exists(cache)) {
            throw new IOException("the JVM made no AOT cache: " + cache);
        }
        List<String> using = new ArrayList<>(flags);
        using.addAll(List.of("-Xlog:disable", "-XX:AOTMode=on", "-XX:AOTCache=" + cache));
        return Variant.java(title, id, using);
    }

    private void once(Variant variant, Times into) throws IOException, InterruptedException {
        long start = System.nanoTime();
        variant.run(work, line -> {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "first" -> {
                    into.fromStart.add((double) (System.nanoTime() - start));
                    into.first.add(Double.valueOf(words[1]));
                }
                case "curve" -> into.curve.computeIfAbsent(Math.log10(Double.parseDouble(words[1])),
                        k -> new ArrayList<>()).add(Double.valueOf(words[2]));
                case "total" -> into.total.add(Double.valueOf(words[1]));
                default -> { }
            }
        });
        if (into.total.isEmpty()) {
            throw new IOException(variant.title() + " said nothing");
        }
    }

    private void print() {
        System.out.printf("libfabric %s, JDK %s, %s; medians%n", Fabric.version(), Runtime.version(),
                arguments.provider);
        System.out.printf("%-30s %22s %22s %22s%n", "", "start to first message", "enable to first",
                work.getLast().split(":")[3] + " round trips");
        times.forEach((variant, t) -> System.out.printf(Locale.ROOT, "%-30s %22s %22s %22s%n", variant.title(),
                Units.time(Units.median(t.fromStart)), Units.time(Units.median(t.first)),
                Units.time(Units.median(t.total))));
    }

    private String json(Variant variant, Times t) {
        return String.format(Locale.ROOT, "  {\"variant\": \"%s\", \"library\": \"%d.%d\", \"provider\": \"%s\", "
                + "\"startToFirstMs\": %.3f, \"enableToFirstMs\": %.4f, \"roundTrips\": %s, \"roundTripsMs\": %.3f, "
                + "\"rounds\": %d}", variant.id(), Fabric.version().major(), Fabric.version().minor(),
                arguments.provider, Units.median(t.fromStart) / 1e6, Units.median(t.first) / 1e6,
                work.getLast().split(":")[3], Units.median(t.total) / 1e6, t.first.size());
    }

    private String plot() {
        Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
        times.forEach((variant, t) -> {
            TreeMap<Double, Double> line = new TreeMap<>();
            t.curve.forEach((at, values) -> line.put(at, Units.median(values)));
            lines.put(variant.title(), line);
        });
        Map<Double, String> marks = new TreeMap<>();
        for (int power = 0; power <= lines.values().iterator().next().lastKey(); power++) {
            marks.put((double) power, String.format(Locale.ROOT, "%,d", (long) Math.pow(10, power)));
        }
        return Plot.draw("The first round trips, libfabric " + Fabric.version() + ", " + arguments.provider, lines,
                marks);
    }
}
