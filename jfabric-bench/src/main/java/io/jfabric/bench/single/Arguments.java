// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.single;

import java.nio.file.Path;

/** The command line: the C program, then options. */
final class Arguments {
    final String program;
    boolean quick;
    String provider = "shm";
    Path json;
    Path svg;

    Arguments(String[] args) {
        program = args[0];
        for (int i = 1; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " is not an option, or its value is missing");
            } else {
                switch (args[i]) {
                    case "--provider" -> provider = args[++i];
                    case "--json" -> json = Path.of(args[++i]);
                    case "--svg" -> svg = Path.of(args[++i]);
                    default -> throw new IllegalArgumentException("unknown argument " + args[i]);
                }
            }
        }
    }
}
