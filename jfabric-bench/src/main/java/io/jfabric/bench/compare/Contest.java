// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import io.jfabric.Fabric;
import io.jfabric.bench.vsc.Stacks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Lets C and Java take turns in every case of a plan, and keeps what they measured. */
final class Contest {
    private static final int SETTLE_MILLIS = 100;

    final Map<Case, Row> rows = new LinkedHashMap<>();
    /** The providers' full names. */
    final Map<String, String> fullNames = new LinkedHashMap<>();
    final Set<String> failures = new LinkedHashSet<>();
    final String library = Fabric.version().major() + "." + Fabric.version().minor();
    private final Programs c;
    private final Programs single;
    private final Programs java;
    private final List<Contestant> contestants = new CopyOnWriteArrayList<>();

    Contest(String program) {
        // nothing stays behind if this is interrupted
        Runtime.getRuntime().addShutdownHook(new Thread(() -> contestants.forEach(Contestant::close)));
        c = Programs.c(program, false);
        single = Programs.c(program, true);
        java = Programs.java();
    }

    /** Processes for each case: what one does to the caches and the JIT's profile is not the next one's business. */
    void pair(Spec spec) throws InterruptedException {
        // the address, so that tcp does not take a network that is slower than the host
        String name = Stacks.provider(spec.provider());
        List<String> options = name.equals("shm") ? List.of("-p", name) : List.of("-p", name, "-n", "127.0.0.1");
        long start = System.nanoTime();
        try {
            List<Programs> programs = spec.hasSingle() ? List.of(c, java, single) : List.of(c, java);
            for (Programs each : programs) {
                contestants.add(each.begin(spec, options));
            }
            for (int i = 0; i < programs.size(); i++) {
                programs.get(i).goOn(contestants.get(i), spec, options);
            }
            for (Contestant each : contestants) {
                each.warmUp();
            }
            String full = same("provider", Contestant::provider);
            same("libfabric", Contestant::library);
            fullNames.put(spec.provider(), full);
            // what the JIT has not yet compiled
            Thread.sleep(SETTLE_MILLIS);
            play(spec);
            System.err.printf(Locale.ROOT, "  %-60s %.1f s%n", spec, (System.nanoTime() - start) / 1e9);
        } catch (IOException e) {
            String failure = spec + ": " + e.getMessage();
            failures.add(failure);
            System.err.println("  " + failure);
        } finally {
            contestants.forEach(Contestant::close);
            contestants.clear();
        }
    }

    /** What all of them have, or else they do not do the same. */
    private String same(String what, Function<Contestant, String> found) throws IOException {
        List<String> all = contestants.stream().map(found).toList();
        if (all.stream().distinct().count() > 1) {
            throw new IOException("C runs on " + what + " " + all.getFirst() + ", Java on " + all.get(1));
        }
        return all.getFirst();
    }

    private void play(Spec spec) throws IOException, InterruptedException {
        List<List<Double>> turns = new ArrayList<>();
        contestants.forEach(each -> turns.add(new ArrayList<>()));
        int n = contestants.size();
        for (int turn = 0; turn < spec.turns(); turn++) {
            // who goes first changes, in case that matters
            for (int i = 0; i < n; i++) {
                int who = (turn + i) % n;
                turns.get(who).add(contestants.get(who).turn());
            }
        }
        for (Contestant each : contestants) {
            each.end();
        }
        for (Contestant each : contestants) {
            if (!each.endedWell()) {
                throw new IOException("a program did not end well");
            }
        }
        Case key = new Case(spec.name(), library, spec.provider(), spec.bytes(), spec.setting().toString(),
                spec.barrier(), contestants.getFirst().unit());
        rows.computeIfAbsent(key, k -> new Row()).add(turns);
    }
}
