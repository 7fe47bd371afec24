// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import io.jfabric.bench.vsc.Setting;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which cases run, with how many operations: enough for the JIT to have compiled everything, and chunks of about a
 * millisecond, shorter than what mostly disturbs them. What people ask for first runs in more pairs and settings.
 */
final class Plan {
    private static final int PAIRS = 7;
    private static final int TURNS = 31;
    private static final int QUICK_PAIRS = 2;
    private static final int QUICK_TURNS = 7;
    /** About how long a run takes on an idle machine: to start, to warm up, to end; and for a round of turns. */
    private static final double START_SECONDS = 2.5;
    private static final double ROUND_SECONDS = 0.035;
    private static final int ENDPOINTS = 200;
    private static final int ADDRESSES = 200_000;

    private final Selection selection;
    private final Setting usual;
    private final int hotPairs;
    private final int pairs;
    private final int hotTurns;
    private final int turns;
    private final List<Spec> specs = new ArrayList<>();

    /** The usual setting is the one that people who care for speed will have with the loaded library. */
    Plan(Selection selection, Setting usual) {
        this.selection = selection;
        this.usual = usual;
        hotTurns = selection.quick ? QUICK_TURNS : TURNS;
        turns = (hotTurns + 1) / 2;
        hotPairs = selection.pairs > 0 ? selection.pairs : selection.quick ? QUICK_PAIRS : PAIRS;
        // a run is to end within half an hour
        pairs = Math.max(1, hotPairs * 3 / 7);
        shm();
        tcp("tcp");
        tcp("rxm");
        for (String other : selection.providers) {
            if (!Set.of("shm", "tcp", "rxm").contains(other)) {
                tcp(other);
            }
        }
    }

    /** In the order of the table. */
    List<Spec> specs() {
        return List.copyOf(specs);
    }

    /** How many pairs run in all. */
    int runs() {
        return specs.stream().mapToInt(Spec::pairs).sum();
    }

    /** About how long they take. */
    double seconds() {
        return specs.stream().mapToDouble(spec -> spec.pairs() * seconds(spec)).sum();
    }

    /** Nanoseconds that those of most pairs need after this one. */
    long reserve(int pair) {
        return (long) (1e9 * specs.stream().filter(spec -> spec.pairs() == hotPairs)
                .mapToDouble(spec -> (hotPairs - pair) * seconds(spec)).sum());
    }

    private double seconds(Spec spec) {
        return START_SECONDS * (selection.quick ? 0.8 : 1) + spec.turns() * ROUND_SECONDS;
    }

    /** A case in the settings that its readers ask for: "t" tuned, "r" raw, "b" without the barrier, "h" hot. */
    private void add(String kind, String provider, String text, int ofTurns, String more) {
        String name = text.substring(0, text.indexOf(':'));
        if (!selection.has(name, provider)) {
            return;
        }
        Set<Setting> settings = EnumSet.of(Setting.DEFAULT);
        if (!selection.settings.isEmpty()) {
            settings = selection.settings;
        } else {
            if (more.contains("t")) {
                settings.add(Setting.TUNED);
            }
            if (more.contains("r")) {
                settings.add(Setting.RAW);
            }
        }
        List<Boolean> barriers = !selection.barriers.isEmpty() ? List.copyOf(selection.barriers)
                : more.contains("b") ? List.of(true, false) : List.of(true);
        for (boolean barrier : barriers) {
            for (Setting setting : settings) {
                boolean rawToo = barrier || setting != Setting.RAW || !selection.settings.isEmpty();
                if (rawToo) {
                    boolean hot = more.contains("h") && barrier && (setting == usual
                            || setting == Setting.RAW && usual == Setting.TUNED);
                    specs.add(new Spec(kind, provider, text, ofTurns, hot ? hotPairs : pairs, setting, barrier));
                }
            }
        }
    }

    private void add(String kind, String provider, String name, int bytes, long warmup, long iterations) {
        add(kind, provider, text(name, bytes, warmup, iterations), turns, "");
    }

    private void hot(String kind, String provider, String more, String name, int bytes, long warmup,
            long iterations) {
        add(kind, provider, text(name, bytes, warmup, iterations), hotTurns, more + "h");
    }

    /** Time in a few turns, after rounds that do not count; memory: at once. */
    private void many(String provider, String name, long count, int ofTurns, int rounds) {
        int fewer = selection.quick ? 1 : ofTurns;
        add("scale", provider, name + ":0:" + rounds * count + ":" + count + ":1", fewer, "");
        add("scale", provider, name + "-memory:0:0:" + count + ":1", 1, "");
    }

    private static String text(String name, int bytes, long warmup, long iterations) {
        return String.format(Locale.ROOT, "%s:%d:%d:%d", name, bytes, warmup, iterations);
    }

    private void shm() {
        String p = "shm";
        hot("in-process", p, "trb", "round-trip", 8, 1_000_000, 2_000);
        hot("in-process", p, "tb", "empty-poll", 0, 10_000_000, 20_000);
        hot("client", p, "t", "latency", 8, 800_000, 2_000);
        hot("client", p, "t", "message-rate", 8, 2_560_000, 6_400);
        add("in-process", p, "get-info", 0, 30_000, 100);
        add("in-process", p, "post-receive", 8, 640_000, 6_400);
        add("in-process", p, "post-send", 8, 640_000, 6_400);
        // what posting costs must not depend on the size
        add("in-process", p, "post-receive", 1 << 20, 6_400, 64);
        add("in-process", p, "post-send", 1 << 20, 6_400, 64);
        add("in-process", p, "register", 1 << 20, 50_000, 1_000);
        add("client", p, "latency", 4096, 400_000, 1_000);
        add("client", p, "latency", 1 << 16, 30_000, 100);
        add("client", p, "latency", 1 << 20, 3_000, 10);
        add("client", p, "bandwidth", 1 << 16, 32_000, 256);
        add("client", p, "bandwidth", 1 << 20, 6_400, 64);
        add("client", p, "write-latency", 8, 300_000, 1_000);
        add("client", p, "write-bandwidth", 1 << 20, 6_400, 64);
        add("client", p, "read-latency", 8, 300_000, 1_000);
        add("client", p, "atomic-latency", 8, 300_000, 1_000);
        add("scale", p, "threads", 1, 1_000_000, 5_000);
        add("scale", p, "threads", 8, 200_000, 2_000);
        // after a round that does not count: who first touches a virtual machine's free memory waits for its host;
        // address vectors of shm end at 256 peers
        many(p, "endpoints", ENDPOINTS, 3, 1);
    }

    private void tcp(String p) {
        boolean second = p.equals("rxm");
        hot("client", p, second ? "" : "t", "latency", 8, 30_000, 100);
        add("in-process", p, text("round-trip", 8, 30_000, 60), turns, second ? "" : "t");
        add("in-process", p, text("empty-poll", 0, 500_000, 2_000), turns, second ? "" : "t");
        add("client", p, text("message-rate", 8, 64_000, 640), turns, second ? "" : "t");
        add("client", p, "latency", 1 << 20, 8_000, 4);
        add("client", p, text("bandwidth", 1 << 20, 1_280, 64) + ":3", turns, "");
        add("client", p, "write-latency", 8, 20_000, 60);
        add("client", p, "wait-round-trip", 8, 10_000, 40);
        if (second) {
            add("client", p, "atomic-latency", 8, 20_000, 60);
            return;
        }
        add("in-process", p, "get-info", 0, 3_000, 4);
        add("in-process", p, "post-receive", 8, 128_000, 640);
        add("in-process", p, "post-send", 8, 25_600, 128);
        add("in-process", p, "register", 1 << 20, 50_000, 1_000);
        add("client", p, "latency", 4096, 20_000, 80);
        add("client", p, "latency", 1 << 16, 5_000, 20);
        add("client", p, "write-bandwidth", 1 << 20, 1_280, 64);
        add("client", p, "read-latency", 8, 20_000, 60);
        add("scale", p, "threads", 8, 10_000, 100);
        many(p, "av-insert", ADDRESSES, 5, 2);
        many(p, "endpoints", ENDPOINTS, 7, 10);
    }
}
