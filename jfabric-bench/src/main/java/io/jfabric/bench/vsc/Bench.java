// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.io.IOException;

/** The Java twin of the C reference programs in src/main/c: same command line, same work, same output. */
public final class Bench {
    private static final String USAGE = "usage: in-process|scale|server|client|first|tail -p PROVIDER [-n NODE] "
            + "[-P HOST:PORT] [-C CPU] [-g MB] [-s SETTING] [-t TURNS | -w] CASE:BYTES:WARMUP:ITERATIONS[:CHUNKS]...\n"
            + "  -s: default, tuned (for one thread), raw (contexts, too)\n"
            + "  -g: tail only, beside a thread that makes so many MB of garbage a second\n"
            + "  -w: warms up for the first line on stdin, takes a turn for each other";

    private Bench() {
    }

    /**
     * Runs the cases of one command.
     *
     * @param args see the usage line
     * @throws IOException if the peer cannot be reached
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 0) {
            System.err.println(USAGE);
            System.exit(2);
        }
        Options options = Options.parse(args);
        Pin.toCpu(options.cpu());
        switch (args[0]) {
            case "in-process" -> InProcess.run(options);
            case "scale" -> Scale.run(options);
            case "first" -> Singles.first(options);
            case "tail" -> Singles.tail(options);
            case "server", "client" -> TwoProcesses.run(options);
            default -> {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
    }
}
