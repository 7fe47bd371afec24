// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lets C and Java take turns in every case of a plan, and keeps what they measured. */
final class Contest {
    private static final int SETTLE_MILLIS = 100;

    final Map<Case, Row> rows = new LinkedHashMap<>();
    /** The providers' full names. */
    final Map<String, String> fullNames = new LinkedHashMap<>();
    final List<String> failures = new ArrayList<>();
    private final Programs c;
    private final Programs java;

    Contest(Programs c, Programs java) {
        this.c = c;
        this.java = java;
    }

    void pair(Plan plan, String provider, String title) throws IOException, InterruptedException {
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
}
