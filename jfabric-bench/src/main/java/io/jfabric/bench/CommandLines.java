// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench;

import java.util.function.Function;
import picocli.CommandLine;

/** What is wrong with a command line is said in one line. */
public final class CommandLines {
    private static final int WRONG = 2;

    private CommandLines() {
    }

    /**
     * Runs a command of picocli's.
     *
     * @param command annotated
     * @param args its command line
     * @return the exit status
     */
    public static int execute(Object command, String... args) {
        CommandLine line = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        return line.setParameterExceptionHandler((wrong, given) -> {
            say(wrong.getMessage());
            return WRONG;
        }).execute(args);
    }

    /**
     * Takes a command line, or ends the program if it is wrong.
     *
     * @param parser throws {@link IllegalArgumentException}
     * @param args the command line
     * @param <T> what it makes of it
     * @return that
     */
    public static <T> T parse(Function<String[], T> parser, String... args) {
        try {
            return parser.apply(args);
        } catch (IllegalArgumentException wrong) {
            say(wrong.getMessage());
            System.exit(WRONG);
            throw wrong;
        }
    }

    private static void say(String what) {
        System.err.println("error: " + what.replaceAll("\\s+", " ") + "; --help says what it takes");
    }
}
