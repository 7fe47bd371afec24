// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the C programs and their Java twins in alternating pairs and prints the medians and ratios.
 *
 * <p>The first argument is the C program; the Java one runs in this JVM's executable with this JVM's class path and
 * the flags in the system property {@code bench.flags}.
 */
public final class Compare {
    private final Map<Case, Row> rows = new LinkedHashMap<>();
    private final Programs c;
    private final Programs java;

    private Compare(String program) {
        c = new Programs(List.of(program));
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        command.addAll(List.of(System.getProperty("bench.flags", "").split(" +")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.jfabric.bench.vsc.Bench"));
        command.removeIf(String::isEmpty);
        java = new Programs(command);
    }

    /**
     * Compares.
     *
     * @param args the C program, then options: see scripts/bench-vs-c
     * @throws IOException if a program cannot be started or a file not written
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        boolean quick = false;
        int pairs = 0;
        Path json = null;
        Path svg = null;
        Set<String> cases = new LinkedHashSet<>();
        List<String> providers = List.of("shm", "tcp");
        for (int i = 1; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> quick = true;
                case "--pairs" -> pairs = Integer.parseInt(args[++i]);
                case "--json" -> json = Path.of(args[++i]);
                case "--svg" -> svg = Path.of(args[++i]);
                case "--cases" -> cases.addAll(List.of(args[++i].split(",")));
                case "--providers" -> providers = List.of(args[++i].split(","));
                default -> throw new IllegalArgumentException("unknown option " + args[i]);
            }
        }
        Compare compare = new Compare(args[0]);
        int count = pairs > 0 ? pairs : quick ? 3 : 7;
        for (int pair = 1; pair <= count; pair++) {
            for (String provider : providers) {
                compare.pair(new Plan(quick, cases), provider, "pair " + pair + " of " + count + ", " + provider);
            }
        }
        compare.print();
        List<Row> complete = compare.complete();
        if (json != null) {
            Files.writeString(json,
                    complete.stream().map(Row::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
        }
        if (svg != null) {
            Files.writeString(svg, RatioPlot.draw(complete));
        }
        if (complete.isEmpty()) {
            System.exit(1);
        }
    }

    private void pair(Plan plan, String provider, String title) throws IOException, InterruptedException {
        boolean shm = provider.equals("shm");
        List<String> options = shm ? List.of("-p", provider) : List.of("-p", provider, "-n", "127.0.0.1");
        System.err.println(title);
        for (String kind : List.of("in-process", "scale")) {
            List<String> specs = kind.equals("scale") ? plan.scale(shm) : plan.inProcess(shm);
            if (!specs.isEmpty()) {
                c.runAlone(kind, options, specs, line -> add(false, line));
                java.runAlone(kind, options, specs, line -> add(true, line));
            }
        }
        // a pair for each case: what one does to the caches and the JIT's profile is not the next one's business
        for (String spec : plan.twoProcesses(shm)) {
            c.runPair(options, List.of(spec), line -> add(false, line));
            java.runPair(options, List.of(spec), line -> add(true, line));
        }
    }

    private void add(boolean isJava, String line) {
        String[] f = line.split(" ");
        if (f.length != 7 || !f[0].equals("result")) {
            return;
        }
        Case key = new Case(f[1], f[2], Integer.parseInt(f[3]), f[4]);
        Row row = rows.computeIfAbsent(key, Row::new);
        row.add(isJava, Double.parseDouble(f[5]));
    }

    private List<Row> complete() {
        return rows.values().stream().filter(Row::isComplete).toList();
    }

    private void print() {
        System.out.println(
                "case              prov     bytes unit              C        Java  ratio  lowest .. highest");
        complete().forEach(row -> System.out.println(row.text()));
        rows.values().stream().filter(row -> !row.isComplete())
                .forEach(row -> System.out.println(row.key + ": a run failed, left out"));
    }
}
