// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the command line of the launcher says. */
record Plan(int size, List<String> hosts, List<String> shell, String address, int port, boolean keepGoing,
        List<String> program) {
    static final String USAGE = """
            Usage: launch -n N [OPTION...] [--] PROGRAM [ARG...]
              -n N            how many processes; their ranks are 0 to N - 1
              --hosts A,B     where: the first ranks on A, the next on B; without it on this host
              --rsh COMMAND   starts a command line on a host: COMMAND HOST COMMAND-LINE; "ssh" if not given
              --address HOST  the name of this host for the others; with --hosts only
              --port PORT     of the rendezvous; any free one if not given
              --keep-going    lets the others run when one fails
            Each process finds JFABRIC_RENDEZVOUS, JFABRIC_RANK, JFABRIC_SIZE and JFABRIC_SECRET in its environment, and
            nothing on its standard input. Lines of output begin with the rank; one of more than 64 KiB is printed as
            several. The exit status is that of the first process that failed.""";
    private static final int MOST = 4096;
    private static final int LAST_PORT = 65_535;

    /** Throws IllegalArgumentException with what is wrong. */
    static Plan of(String... args) {
        int size = 0;
        int port = 0;
        List<String> hosts = List.of();
        List<String> shell = List.of("ssh", "-o", "BatchMode=yes");
        String address = "";
        boolean keepGoing = false;
        int next = 0;
        boolean options = true;
        for (; options && next < args.length && args[next].startsWith("-"); next++) {
            switch (args[next]) {
                case "--" -> options = false;
                case "-n" -> size = number("-n", value(args, ++next), 1, MOST);
                case "--hosts" -> hosts = words(value(args, ++next), ",");
                case "--rsh" -> shell = words(value(args, ++next), " +");
                case "--address" -> address = value(args, ++next);
                case "--port" -> port = number("--port", value(args, ++next), 0, LAST_PORT);
                case "--keep-going" -> keepGoing = true;
                default -> throw new IllegalArgumentException("there is no option " + args[next]);
            }
        }
        if (size == 0) {
            throw new IllegalArgumentException("-n is missing: how many processes?");
        }
        List<String> program = new ArrayList<>(Arrays.asList(args).subList(next, args.length));
        if (program.isEmpty()) {
            throw new IllegalArgumentException("the program is missing");
        }
        return new Plan(size, hosts, shell, address, port, keepGoing, program);
    }

    private static String value(String[] args, int index) {
        if (index >= args.length) {
            throw new IllegalArgumentException(args[index - 1] + " needs a value");
        }
        return args[index];
    }

    private static List<String> words(String text, String separator) {
        List<String> words = Arrays.stream(text.split(separator)).map(String::strip).filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" is empty");
        }
        return words;
    }

    private static int number(String name, String text, int least, int most) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // the same answer as for one out of range
        }
        throw new IllegalArgumentException(name + ": \"" + text + "\" is not a number between " + least + " and "
                + most);
    }

    /** Where a rank runs; empty for this host. Of more hosts than ranks the last ones are not needed. */
    String host(int rank) {
        return hosts.isEmpty() ? "" : hosts.get((int) ((long) rank * Math.min(hosts.size(), size) / size));
    }
}
