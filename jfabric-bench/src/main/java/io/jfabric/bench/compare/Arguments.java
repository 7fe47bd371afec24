// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.nio.file.Path;

/** The command line: the C program, then options. */
final class Arguments {
    final Selection selection = new Selection();
    boolean planOnly;
    Path json;
    Path svg;
    Path publish;

    Arguments(String[] args) {
        for (int i = 1; i < args.length; i++) {
            String option = args[i];
            if (option.equals("--quick")) {
                selection.quick = true;
            } else if (option.equals("--plan")) {
                planOnly = true;
            } else if (i + 1 == args.length) {
                throw new IllegalArgumentException(option + " is not an option, or its value is missing");
            } else {
                take(option, args[++i]);
            }
        }
    }

    private void take(String option, String value) {
        switch (option) {
            case "--json" -> json = Path.of(value);
            case "--svg" -> svg = Path.of(value);
            case "--publish" -> publish = Path.of(value);
            default -> {
                if (!selection.take(option, value)) {
                    throw new IllegalArgumentException("unknown argument " + option);
                }
            }
        }
    }
}
