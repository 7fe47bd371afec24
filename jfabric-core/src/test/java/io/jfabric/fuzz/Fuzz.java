// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The program: runs seed after seed on provider after provider until the calls are made, and tells what happened. */
public final class Fuzz {
    private final Options options;
    private final Api api = Also.api();
    private final Totals totals;
    /** By what they have in common: how often, and the first seed. */
    private final Map<String, long[]> troubles = new TreeMap<>();
    private final Map<String, String> findings = new TreeMap<>();
    private long seed;
    private boolean clean = true;

    private Fuzz(Options options) throws IOException {
        this.options = options;
        totals = new Totals(options.out, api);
        seed = options.seed;
    }

    /** See scripts/fuzz for the arguments. Exits with 1 if something was found. */
    public static void main(String... args) throws Exception {
        Options options = Options.parse(args);
        Fuzz fuzz = new Fuzz(options);
        boolean clean = fuzz.run();
        System.out.println(fuzz.summary());
        if (options.publish) {
            Files.writeString(options.docs.resolve(Also.page()), fuzz.totals.page());
        }
        if (!clean) {
            System.exit(1);
        }
    }

    /** For the tests: what was found, empty if nothing. */
    static String run(Options options) throws IOException, InterruptedException {
        Fuzz fuzz = new Fuzz(options);
        return fuzz.run() ? "" : fuzz.summary();
    }

    private boolean run() throws IOException, InterruptedException {
        List<Options.Choice> choices = new ArrayList<>();
        for (Options.Choice choice : options.choices()) {
            if (Offers.has(choice, options)) {
                choices.add(choice);
            }
        }
        if (choices.isEmpty() || options.calls == 0) {
            return true;
        }
        String library = Offers.version(options);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds);
        long[] left = new long[choices.size()];
        java.util.Arrays.fill(left, options.calls / choices.size());
        boolean more = true;
        while (more && System.nanoTime() < end) {
            more = false;
            for (int i = 0; i < left.length; i++) {
                long millis = Math.min(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()),
                        TimeUnit.SECONDS.toMillis(options.seconds) / choices.size());
                if (left[i] > 0 && millis > 500) {
                    left[i] -= one(choices.get(i), library, Math.min(left[i], options.callsPerRun), millis);
                    more |= left[i] > 0;
                }
            }
            seed++;
        }
        return clean;
    }

    /** One run. Even if it dies at once it counts a little, so that there is an end. */
    private long one(Options.Choice choice, String library, long calls, long millis) throws IOException,
            InterruptedException {
        Outcome outcome = new Supervisor(options, api).run(choice, seed, calls, millis, totals);
        totals.add(library + ' ' + choice + ", " + options.threads, outcome);
        System.out.printf("%-18s seed %-6d %,9d calls, %3d worlds  %s%n", choice, outcome.seed(), outcome.calls(),
                outcome.worlds(), outcome.kind().isEmpty() ? "ok, rss " + (outcome.rss() >> 20) + " MB, fds "
                + outcome.fds() + ", shm " + outcome.shm() : outcome.kind() + ": " + outcome.symptom());
        if (!outcome.kind().isEmpty()) {
            long[] seen = troubles.computeIfAbsent(choice + " " + outcome.kind() + ": " + outcome.symptom(),
                    s -> new long[] {0, outcome.seed()});
            seen[0]++;
            clean = false;
        }
        String head = null;
        for (String line : outcome.findings()) {
            if (!line.startsWith("    ")) {
                // also if the campaign is ended before its summary
                System.out.println("  " + line);
                head = line;
                clean = false;
                findings.putIfAbsent(head, choice + ", seed " + outcome.seed());
            } else if (head != null && findings.get(head).lines().count() < 14) {
                findings.merge(head, line, (a, b) -> a.contains(b) ? a : a + '\n' + b);
            }
        }
        return Math.max(outcome.calls(), 2000);
    }

    private String summary() throws IOException {
        StringBuilder text = new StringBuilder("\n").append(totals.table()).append('\n');
        troubles.forEach((what, n) -> text.append(n[0]).append(" x ").append(what).append(" (seed ").append(n[1])
                .append(")\n"));
        findings.forEach((what, where) -> text.append("- ").append(what).append("; ").append(where).append('\n'));
        Files.writeString(options.out.resolve("findings.txt"), text);
        return text.append('\n').append(totals.coverage()).toString();
    }
}
