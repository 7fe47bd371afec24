// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import io.jfabric.Fabric;
import io.jfabric.bench.CommandLines;
import io.jfabric.bench.vsc.Setting;
import io.jfabric.info.Progress;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Runs the C programs and their Java twins in pairs that take turns, and prints the medians and ratios.
 *
 * <p>The first argument is the C program; the Java one runs in this JVM's executable with this JVM's class path and
 * the flags in the system property {@code bench.flags}.
 */
public final class Compare {
    /** What a whole run may take: with two libraries, 25 minutes. */
    private static final double SECONDS = 720;
    private static final double QUICK_SECONDS = 280;

    private Compare() {
    }

    /**
     * Compares.
     *
     * @param args the C program, then options: see scripts/bench-vs-c
     * @throws IOException if a file cannot be written
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments arguments = CommandLines.parse(Arguments::new, args);
        Selection selection = arguments.selection;
        Contest contest = new Contest(args[0]);
        boolean unified = Fabric.version().atLeast(Progress.CONTROL_UNIFIED.since());
        Plan plan = new Plan(selection, unified ? Setting.TUNED : Setting.DEFAULT);
        System.err.printf(Locale.ROOT, "libfabric %s: %d runs, about %.0f minutes%n", contest.library, plan.runs(),
                Math.ceil(plan.seconds() / 60));
        if (arguments.planOnly) {
            plan.specs().forEach(spec -> System.out.println(spec + ", " + spec.pairs() + " pairs"));
            return;
        }
        long start = System.nanoTime();
        run(plan, contest, start + (long) (Math.max(selection.quick ? QUICK_SECONDS : SECONDS, plan.seconds()
                * (selection.isAll() ? 0 : 2)) * 1e9));
        System.err.printf(Locale.ROOT, "%.1f minutes%n", (System.nanoTime() - start) / 60e9);
        List<Result> results = contest.rows.entrySet().stream().map(e -> e.getValue().result(e.getKey())).toList();
        Report report = new Report(contest, results);
        report.print();
        if (arguments.json != null) {
            report.writeJson(arguments.json);
        }
        if (arguments.svg != null) {
            report.draw(arguments.svg);
        }
        if (arguments.publish != null && !results.isEmpty()) {
            report.publish(arguments.publish, selection.isAll());
        }
        // the watchdogs may not keep this from ending
        System.exit(contest.failures.isEmpty() && !results.isEmpty() ? 0 : 1);
    }

    /**
     * All cases once, then again: what disturbs the machine for minutes meets one pair of each. Where the time does not
     * suffice, the cases that matter less get fewer pairs.
     */
    private static void run(Plan plan, Contest contest, long end) throws InterruptedException {
        int most = plan.specs().stream().mapToInt(Spec::pairs).max().orElse(0);
        int left = plan.runs();
        for (int pair = 1; pair <= most; pair++) {
            System.err.println("pair " + pair + " of " + most + ", " + left + " runs to go");
            for (Spec spec : plan.specs()) {
                if (pair <= spec.pairs()) {
                    if (pair == 1 || spec.pairs() == most || System.nanoTime() < end - plan.reserve(pair)) {
                        contest.pair(spec);
                    }
                    left--;
                }
            }
        }
    }
}
