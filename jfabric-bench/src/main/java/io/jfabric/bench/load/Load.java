// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.load;

import io.jfabric.async.Node;
import io.jfabric.bench.CommandLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Many callers of one service in another process. */
@Command(name = "load", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Requests of 64 bytes to a service in another process that answers with them.",
    "threads: that many virtual threads are started, each makes one call over the same node.",
    "overload: one thread finds out how many calls a second there can be, by making one whenever fewer than 1,000 are "
        + "under way. Then it makes more than that, at fixed times, whether answers come or not. Latency is counted "
        + "from those times.",
    "Exits with 1 if a call was lost, or ended in any other way than it should."})
public final class Load implements Callable<Integer> {
    /** What to do. */
    enum Mode {
        /** Many virtual threads. */
        threads,
        /** More than there can be. */
        overload
    }

    @Spec
    private CommandSpec spec;
    @Parameters(index = "0", paramLabel = "MODE", description = "${COMPLETION-CANDIDATES}")
    private Mode mode;
    @Parameters(index = "1", arity = "0..1", paramLabel = "PROVIDER", defaultValue = "tcp",
            description = "such as shm or tcp (default)")
    private String provider;
    @Option(names = "--count", paramLabel = "N", description = "of threads: how many (default: 1000000, shm: 100000)")
    private Integer count;
    @Option(names = "--seconds", paramLabel = "S", defaultValue = "60", description = "of overload (default: 60)")
    private int seconds;
    @Option(names = "--percent", paramLabel = "P", defaultValue = "110",
            description = "of overload: of what is possible (default: 110)")
    private int percent;

    /** Made by picocli. */
    Load() {
    }

    /**
     * Runs the command; see its --help. The JVM flags of the server are in the system property {@code bench.flags}.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(CommandLines.execute(new Load(), args));
    }

    @Override
    public Integer call() throws Exception {
        if (count == null) {
            count = provider.equals("shm") ? 100_000 : 1_000_000;
        }
        least("--count", count);
        least("--seconds", seconds);
        least("--percent", percent);
        Process server = start();
        try (Node node = LoadServer.open(provider)) {
            BufferedReader said = server.inputReader();
            String line = said.readLine();
            if (line == null || !line.startsWith("here ")) {
                throw new IllegalStateException("the server did not start");
            }
            byte[] address = HexFormat.of().parseHex(line.substring("here ".length()));
            boolean good = switch (mode) {
                case threads -> new ManyThreads(node, address, count).run();
                case overload -> new Overload(node, address, Duration.ofSeconds(seconds), percent).run();
            };
            System.out.println("client: peak of resident memory " + peak() + "; one node, " + provider);
            server.getOutputStream().close();
            String end = said.readLine();
            System.out.println("server: " + (end == null ? "it has died" : end));
            return good && end != null ? 0 : 1;
        } finally {
            server.destroy();
        }
    }

    private void least(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + ": " + value + "; 1 or more");
        }
    }

    private Process start() throws IOException {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(List.of(System.getProperty("bench.flags", "").trim().split(" +")));
        java.removeIf(String::isEmpty);
        java.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), LoadServer.class.getName(),
                provider));
        return new ProcessBuilder(java).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static String peak() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:")).findFirst().orElse(":").split(":")[1].trim();
        }
    }

    static String text(Histogram times) {
        StringBuilder text = new StringBuilder("ms:");
        for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
            text.append(String.format(Locale.ROOT, "  %s %.3f", percentile == 100 ? "max" : "p"
                    + (percentile == 99.9 ? "99.9" : Integer.toString((int) percentile)),
                    times.getValueAtPercentile(percentile) / 1e6));
        }
        return text.toString();
    }
}
