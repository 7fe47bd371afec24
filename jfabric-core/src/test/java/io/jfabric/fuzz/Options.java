// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the command line says. */
final class Options {
    /** Provider and type of endpoint. */
    record Choice(String provider, String type) {
        @Override
        public String toString() {
            return provider + ' ' + type;
        }
    }

    /** The property that names what is called more often. */
    static final String MORE = "fuzz.more";
    private static final List<Choice> ALL = List.of(new Choice("shm", "RDM"), new Choice("tcp", "MSG"),
            new Choice("tcp", "RDM"), new Choice("tcp;ofi_rxm", "RDM"), new Choice("udp", "DGRAM"),
            new Choice("udp;ofi_rxd", "RDM"), new Choice("sockets", "RDM"), new Choice("sockets", "MSG"),
            new Choice("sockets", "DGRAM"));

    long seed = 1;
    long calls = 1_000_000;
    long callsPerRun = 200_000;
    long seconds = Long.MAX_VALUE / 2_000_000_000L;
    int threads = 1;
    int peers = 1;
    int hangSeconds = 25;
    boolean publish;
    Path out = Path.of("target", "fuzz");
    Path docs;
    List<String> jvm = new ArrayList<>();
    private final List<String> providers = new ArrayList<>();
    private final List<String> types = new ArrayList<>();

    static Options parse(String... args) {
        Options options = new Options();
        for (int i = 0; i < args.length; i++) {
            String name = args[i];
            if (name.equals("--publish")) {
                options.publish = true;
            } else if (i + 1 < args.length) {
                options.set(name, args[++i]);
            } else {
                throw new IllegalArgumentException(name + ": unknown, or without its value");
            }
        }
        return options;
    }

    private void set(String name, String value) {
        switch (name) {
            case "--seed" -> seed = Long.parseLong(value);
            case "--calls" -> calls = Long.parseLong(value.replace("_", ""));
            case "--calls-per-run" -> callsPerRun = Long.parseLong(value.replace("_", ""));
            case "--provider" -> providers.add(value);
            case "--type" -> types.add(value);
            case "--threads" -> threads = Integer.parseInt(value);
            case "--peers" -> peers = Integer.parseInt(value);
            case "--seconds" -> seconds = Long.parseLong(value);
            case "--hang" -> hangSeconds = Integer.parseInt(value);
            case "--library" -> jvm.add("-Djfabric.library=" + value);
            case "--jvm" -> jvm.add(value);
            case "--module" -> {
                jvm.add("-D" + Also.PROPERTY + '=' + Also.check(value));
                System.setProperty(Also.PROPERTY, value);
            }
            case "--skip" -> {
                jvm.add("-Dfuzz.skip=" + value);
                System.setProperty("fuzz.skip", value);
            }
            case "--more" -> {
                jvm.add("-D" + MORE + '=' + value);
                System.setProperty(MORE, value);
            }
            case "--out" -> out = Path.of(value);
            case "--docs" -> docs = Path.of(value);
            default -> throw new IllegalArgumentException(name + ": unknown");
        }
    }

    /** What to fuzz, whether it is there or not. */
    List<Choice> choices() {
        List<Choice> chosen = ALL.stream().filter(c -> providers.isEmpty() || providers.contains(c.provider))
                .filter(c -> types.isEmpty() || types.contains(c.type)).toList();
        if (chosen.isEmpty() && !providers.isEmpty() && !types.isEmpty()) {
            return providers.stream().flatMap(p -> types.stream().map(t -> new Choice(p, t))).toList();
        }
        return chosen;
    }
}
