// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line; twin of {@code struct options}.
 *
 * @param provider libfabric's name of it
 * @param node local address to bind to; null for the provider's choice
 * @param peer host:port of the server's control socket; null in the server
 * @param cpu where to pin the measuring thread; -1 for no pinning
 * @param server whether this is the side that answers
 * @param turns how many, unless each is asked for
 * @param waits the warm-up and each turn for a line on stdin, until its end
 * @param setting what is opened, and how
 * @param garbage megabytes a second that another thread makes
 * @param specs the cases
 */
record Options(String provider, String node, String peer, int cpu, boolean server, int turns, boolean waits,
        Setting setting, int garbage, List<Spec> specs) {
    static Options parse(String[] args) {
        String provider = "shm";
        String node = null;
        String peer = null;
        int cpu = -1;
        int turns = 21;
        int garbage = 0;
        boolean waits = false;
        Setting setting = Setting.DEFAULT;
        List<Spec> specs = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            switch (args[i]) {
                case "-p" -> provider = args[++i];
                case "-n" -> node = args[++i];
                case "-P" -> peer = args[++i];
                case "-C" -> cpu = Integer.parseInt(args[++i]);
                case "-t" -> turns = Integer.parseInt(args[++i]);
                case "-s" -> setting = Setting.of(args[++i]);
                case "-g" -> garbage = Integer.parseInt(args[++i]);
                case "-w" -> waits = true;
                default -> specs.add(Spec.parse(args[i]));
            }
        }
        return new Options(provider, node, peer, cpu, args[0].equals("server"), turns, waits, setting,
                garbage, specs);
    }

    boolean has(String name) {
        return specs.stream().anyMatch(spec -> spec.name().equals(name));
    }

    /** The size of a buffer that holds the largest message of any case. */
    long largest() {
        return Math.max(64, specs.stream().mapToInt(Spec::bytes).max().orElse(0));
    }
}
