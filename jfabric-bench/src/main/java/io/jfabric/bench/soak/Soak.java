// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import io.jfabric.bench.CommandLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Two processes on each provider, everything at once, for a long time. */
@Command(name = "soak", mixinStandardHelpOptions = true, sortOptions = false, description =
        "Messages, RMA and calls of 1 byte to 1 MiB at full rate, each byte compared. Exits with 1 if anything was "
        + "wrong or lost, resident memory grew after warming up, or the number of open files changed.")
public final class Soak implements Callable<Integer> {
    @Spec
    private CommandSpec spec;
    @Parameters(arity = "0..1", paramLabel = "SECONDS", defaultValue = "600", description = "how long (default: 600)")
    private int seconds;
    @Option(names = "--provider", split = ",", paramLabel = "NAME", description = "default: shm,tcp")
    private List<String> providers = new ArrayList<>();
    @Option(names = "--growth", paramLabel = "PERCENT", defaultValue = "1",
            description = "how much more memory there may be at the end than after the warm-up, the first half, by "
                    + "a straight line through what was measured each second (default: 1)")
    private double growth;

    private boolean bad;
    private boolean told;

    /** Made by picocli. */
    Soak() {
    }

    /**
     * Runs the command; see its --help. The JVM flags of the processes are in the system property
     * {@code bench.flags}.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(CommandLines.execute(new Soak(), args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seconds < 15) {
            throw new ParameterException(spec.commandLine(), "SECONDS: " + seconds
                    + "; 15 or more, as some are for warming up");
        }
        // the JIT compiler needs its time
        int warmUp = Math.max(5, seconds / 2);
        if (providers.isEmpty()) {
            providers = List.of("shm", "tcp");
        }
        List<Side> all = new ArrayList<>();
        try {
            for (String provider : providers) {
                Side one = new Side(provider + " 1", java(), provider, seconds, warmUp);
                all.add(one);
                Side two = new Side(provider + " 2", java(), provider, seconds, warmUp);
                all.add(two);
            }
            for (int i = 0; i < all.size(); i += 2) {
                String first = all.get(i).await("here", seconds);
                String second = all.get(i + 1).await("here", seconds);
                all.get(i).tell(second);
                all.get(i + 1).tell(first);
            }
            for (Side side : all) {
                side.await("done", 3 * seconds + 180);
            }
            told = true;
            all.forEach(side -> side.tell("close"));
            for (Side side : all) {
                int status = side.end();
                check(status == 0, side + " ended with status " + status);
            }
        } catch (IllegalStateException e) {
            check(false, e.getMessage());
        } finally {
            all.forEach(Side::kill);
        }
        for (int i = 0; i < all.size() && told; i += 2) {
            judge(all.get(i), all.get(i + 1));
        }
        System.out.println(bad ? "soak: failed" : "soak: ok, " + seconds + " s");
        return bad ? 1 : 0;
    }

    private static List<String> java() {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(List.of(System.getProperty("bench.flags", "").trim().split(" +")));
        java.removeIf(String::isEmpty);
        // a heap that is there from the start, and nothing kept that is free, such as what the JIT has had for a large
        // method: what grows is a leak
        java.addAll(List.of("-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC",
                "-XX:TrimNativeHeapInterval=5000", "-XX:NativeMemoryTracking=summary", "-cp",
                System.getProperty("java.class.path"), SoakPeer.class.getName()));
        return java;
    }

    private void check(boolean good, String complaint) {
        if (!good) {
            bad = true;
            System.out.println("WRONG: " + complaint);
        }
    }

    private void judge(Side one, Side two) {
        for (Side side : List.of(one, two)) {
            Side other = side == one ? two : one;
            long[] sent = side.numbers("sent");
            long[] received = other.numbers("received");
            long[] rma = side.numbers("rma");
            long[] calls = side.numbers("calls");
            long[] warm = side.numbers("warm");
            long[] end = side.numbers("end");
            long[] resident = side.numbers("resident");
            double grown = 100.0 * (resident[1] - resident[0]) / resident[0];
            System.out.println(String.format(Locale.ROOT, "%s: %,d messages (%.1f GB), %,d writes and reads (%.1f GB), "
                    + "%,d calls (%.1f GB there and back)", side, sent[0], sent[1] / 1e9, rma[0], rma[1] / 1e9,
                    calls[0], calls[1] / 1e9));
            System.out.println(String.format(Locale.ROOT, "    errors %d; resident %,d KiB after the "
                    + "warm-up, %,d at the end: %+.2f %% (shared %,d, %,d); open files %d, %d; of the JVM's own, KiB: "
                    + "%s", side.numbers("errors")[0], resident[0], resident[1], grown, warm[0], end[0], warm[1],
                    end[1], side.text("grew")));
            check(side.numbers("errors")[0] == 0, side + " had errors, see above");
            check(side.numbers("errors")[1] == 0, side + " has operations that wait");
            check(sent[0] == received[0] && sent[1] == received[1], side + " sent " + sent[0] + " messages, "
                    + received[0] + " arrived");
            check(sent[0] > 0 && rma[0] > 0 && calls[0] > 0, side + " did not move anything of one kind");
            check(grown <= growth, side + ": memory grew");
            check(warm[1] == end[1], side + ": the number of open files changed");
        }
    }
}
