// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.info;

import java.io.PrintStream;
import java.util.List;

/**
 * {@code getopt_long(3)} as glibc does it: long options may be shortened, short ones clustered ({@code -lv}), values
 * attached ({@code -ptcp}, {@code --provider=tcp}) or not, and other arguments may stand anywhere.
 *
 * <p>By hand because the tool answers as C's does, error texts included; argument parsers for Java have rules and
 * messages of their own ({@code -p -v}, for one, is a value to C and an error to them).
 */
final class GetOpt {
    /** All options are read. */
    static final int END = -1;
    /** An error, which has been printed. */
    static final int ERROR = '?';

    private final String program;
    private final List<Option> options;
    private final String[] args;
    private final PrintStream err;
    private final boolean stopAtFirstOther = System.getenv("POSIXLY_CORRECT") != null;
    private int next;
    /** What is left of a cluster of short options. */
    private String cluster = "";
    private String value;

    /**
     * An option.
     *
     * @param letter what {@link #next()} returns; below a space if there is no short form
     * @param name the long form
     * @param takesValue whether it has a value
     */
    record Option(char letter, String name, boolean takesValue) {
        boolean hasShortForm() {
            return letter > ' ';
        }
    }

    GetOpt(String program, List<Option> options, String[] args, PrintStream err) {
        this.program = program;
        this.options = options;
        this.args = args;
        this.err = err;
    }

    /** The letter of the next option, {@link #END} or {@link #ERROR}. */
    int next() {
        value = null;
        if (!cluster.isEmpty()) {
            return nextOfCluster();
        }
        while (next < args.length && (!args[next].startsWith("-") || args[next].equals("-"))) {
            if (stopAtFirstOther) {
                return END;
            }
            next++;
        }
        if (next == args.length || args[next].equals("--")) {
            return END;
        }
        String arg = args[next++];
        if (arg.startsWith("--")) {
            return longOption(arg.substring(2));
        }
        cluster = arg.substring(1);
        return nextOfCluster();
    }

    /** The value of the option that {@link #next()} returned. */
    String value() {
        return value;
    }

    private int nextOfCluster() {
        char letter = cluster.charAt(0);
        cluster = cluster.substring(1);
        for (Option option : options) {
            if (option.letter() != letter || !option.hasShortForm()) {
                continue;
            }
            if (!option.takesValue()) {
                return letter;
            }
            if (cluster.isEmpty() && next == args.length) {
                return error("option requires an argument -- '" + letter + "'");
            }
            value = cluster.isEmpty() ? args[next++] : cluster;
            cluster = "";
            return letter;
        }
        return error("invalid option -- '" + letter + "'");
    }

    private int longOption(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        List<Option> matches = options.stream().filter(o -> o.name().equals(name)).toList();
        if (matches.isEmpty()) {
            matches = options.stream().filter(o -> o.name().startsWith(name)).toList();
        }
        if (matches.isEmpty()) {
            return error("unrecognized option '--" + text + "'");
        }
        if (matches.size() > 1) {
            StringBuilder possibilities = new StringBuilder();
            matches.forEach(o -> possibilities.append(" '--").append(o.name()).append('\''));
            return error("option '--" + text + "' is ambiguous; possibilities:" + possibilities);
        }
        Option option = matches.getFirst();
        if (!option.takesValue()) {
            return equals < 0 ? option.letter()
                    : error("option '--" + option.name() + "' doesn't allow an argument");
        }
        if (equals < 0 && next == args.length) {
            return error("option '--" + option.name() + "' requires an argument");
        }
        value = equals < 0 ? args[next++] : text.substring(equals + 1);
        return option.letter();
    }

    private int error(String message) {
        err.print(program + ": " + message + "\n");
        return ERROR;
    }
}
