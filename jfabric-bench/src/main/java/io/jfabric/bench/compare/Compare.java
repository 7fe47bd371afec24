// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs the C programs and their Java twins in pairs that take turns, and prints the medians and ratios.
 *
 * <p>The first argument is the C program; the Java one runs in this JVM's executable with this JVM's class path and
 * the flags in the system property {@code bench.flags}.
 */
public final class Compare {
    private static final int PAIRS = 7;
    private static final int QUICK_PAIRS = 2;

    private Compare() {
    }

    private static Programs java() {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        command.addAll(List.of(System.getProperty("bench.flags", "").split(" +")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.jfabric.bench.vsc.Bench"));
        command.removeIf(String::isEmpty);
        return new Programs(command);
    }

    /**
     * Compares.
     *
     * @param args the C program, then options: see scripts/bench-vs-c
     * @throws IOException if a file cannot be written
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        boolean quick = false;
        int pairs = 0;
        Path json = null;
        Path svg = null;
        Path publish = null;
        Set<String> cases = new LinkedHashSet<>();
        List<String> providers = List.of("shm", "tcp");
        for (int i = 1; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> quick = true;
                case "--pairs" -> pairs = Integer.parseInt(args[++i]);
                case "--json" -> json = Path.of(args[++i]);
                case "--svg" -> svg = Path.of(args[++i]);
                case "--publish" -> publish = Path.of(args[++i]);
                case "--cases" -> cases.addAll(List.of(args[++i].split(",")));
                case "--providers" -> providers = List.of(args[++i].split(","));
                default -> throw new IllegalArgumentException("unknown option " + args[i]);
            }
        }
        Contest contest = new Contest(new Programs(List.of(args[0])), java());
        int count = pairs > 0 ? pairs : quick ? QUICK_PAIRS : PAIRS;
        for (int pair = 1; pair <= count; pair++) {
            for (String provider : providers) {
                contest.pair(new Plan(quick, !quick || pair == 1, cases), provider,
                        "pair " + pair + " of " + count + ", " + provider);
            }
        }
        Report report = new Report(contest);
        report.print();
        if (json != null) {
            report.writeJson(json);
        }
        if (svg != null) {
            report.draw(svg);
        }
        if (publish != null) {
            report.publish(publish);
        }
        // the watchdogs may not keep this from ending
        System.exit(contest.failures.isEmpty() && !contest.rows.isEmpty() ? 0 : 1);
    }
}
