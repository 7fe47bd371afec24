// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the C programs and their Java twins in pairs that take turns and prints the medians and ratios.
 *
 * <p>The first argument is the C program; the Java one runs in this JVM's executable with this JVM's class path and
 * the flags in the system property {@code bench.flags}.
 */
public final class Compare {
    private static final int SETTLE_MILLIS = 100;

    private final Map<Case, Row> rows = new LinkedHashMap<>();
    private final Map<String, String> fullNames = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();
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
        List<Row> complete = List.copyOf(compare.rows.values());
        if (json != null) {
            Files.writeString(json,
                    complete.stream().map(Row::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
        }
        if (svg != null) {
            Files.writeString(svg, RatioPlot.draw(complete));
        }
        // the watchdogs may not keep this from ending
        System.exit(compare.failures.isEmpty() && !complete.isEmpty() ? 0 : 1);
    }

    private void pair(Plan plan, String provider, String title) throws IOException, InterruptedException {
        // the address, so that tcp does not take a network that is slower than the host
        List<String> options = provider.equals("shm") ? List.of("-p", provider)
                : List.of("-p", provider, "-n", "127.0.0.1");
        System.err.println(title);
        // processes for each case: what one does to the caches and the JIT's profile is not the next one's business
        for (Spec spec : plan.specs(provider)) {
            long start = System.nanoTime();
            try (Contestant ofC = c.start(spec, options); Contestant ofJava = java.start(spec, options)) {
                String unit = ofC.unit();
                if (!ofC.provider().equals(ofJava.provider())) {
                    throw new IOException("C runs on " + ofC.provider() + ", Java on " + ofJava.provider());
                }
                fullNames.put(provider, ofC.provider());
                // what the JIT has not yet compiled
                Thread.sleep(SETTLE_MILLIS);
                play(new Case(spec.name(), provider, spec.bytes(), unit), spec, ofC, ofJava);
                System.err.printf(Locale.ROOT, "  %-60s %.1f s%n", spec.text(), (System.nanoTime() - start) / 1e9);
            } catch (IOException e) {
                failures.add(spec.name() + " on " + provider + ": " + e.getMessage());
                System.err.println("  " + failures.getLast());
            }
        }
    }

    private void play(Case key, Spec spec, Contestant ofC, Contestant ofJava) throws IOException, InterruptedException {
        List<Double> cTurns = new ArrayList<>();
        List<Double> javaTurns = new ArrayList<>();
        for (int turn = 0; turn < spec.turns(); turn++) {
            // who goes first changes, in case that matters
            if (turn % 2 == 0) {
                cTurns.add(ofC.turn());
                javaTurns.add(ofJava.turn());
            } else {
                javaTurns.add(ofJava.turn());
                cTurns.add(ofC.turn());
            }
        }
        if (!ofC.end() | !ofJava.end()) {
            throw new IOException("a program did not end well");
        }
        rows.computeIfAbsent(key, Row::new).add(cTurns, javaTurns);
    }

    private void print() {
        System.out.println(
                "case              prov     bytes unit              C        Java  ratio  lowest .. highest");
        rows.values().forEach(row -> System.out.println(row.text()));
        fullNames.forEach((name, full) -> System.out.println(name + " is libfabric's " + full));
        failures.forEach(failure -> System.out.println("left out: " + failure));
    }
}
