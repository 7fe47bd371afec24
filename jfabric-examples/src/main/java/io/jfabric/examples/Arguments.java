// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

/** The numbers that examples take. */
final class Arguments {
    private Arguments() {
    }

    /** The argument at this index, or the other number if there is none; ends the JVM if it is not a number. */
    static int number(String[] args, int index, int otherwise) {
        if (index >= args.length) {
            return otherwise;
        }
        if (!args[index].matches("[1-9]\\d{0,8}")) {
            System.err.println("error: \"" + args[index] + "\" is not a positive number; scripts/example NAME -h lists "
                    + "the arguments");
            System.exit(2);
        }
        return Integer.parseInt(args[index]);
    }
}
