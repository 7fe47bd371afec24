// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.Fabric;
import io.jfabric.bench.CommandLines;
import io.jfabric.bench.compare.Machine;
import io.jfabric.bench.compare.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs all peers in turn, several rounds, each in two JVMs with the same flags, and prints the medians. */
@Command(name = "bench-peers", mixinStandardHelpOptions = true, sortOptions = false, footer =
        "As the first option, --debian13 runs all of it on a Debian 13 in a root of its own, which has JUCX's UCX.",
        description =
        "The same ping-pong through jfabric and what a Java user would pick instead, between two processes.")
public final class BenchPeers implements Callable<Integer> {
    private static final Pattern RESULT = Pattern.compile("[a-z]+ \\d+( .*)?");
    private static final String JUCX_REMEDY = "JUCX 1.18 needs UCX 1.18 (libucp.so.0 and more). On Debian "
            + "13: apt install libucx0. Elsewhere: build UCX 1.18, or scripts/bench-peers --debian13";

    @Spec
    private CommandSpec spec;
    @Option(names = "--rounds", paramLabel = "N", description = "how often each peer runs (default: 5, quick: 1)")
    private int rounds;
    @Option(names = "--sizes", paramLabel = "N", split = ",",
            description = "bytes of a message (default: 8,1024,65536,1048576; quick: 8)")
    private List<Integer> sizes = new ArrayList<>();
    @Option(names = "--only", paramLabel = "PEER", split = ",", description = "of ${COMPLETION-CANDIDATES}")
    private Set<Peer> only = EnumSet.noneOf(Peer.class);
    @Option(names = "--quick", description = "less of everything, some minutes")
    private boolean quick;
    @Option(names = "--warmup", paramLabel = "MS",
            description = "at least, before the first size, the first of 256 bytes or more and the first long one, "
                    + "others a quarter; up to eleven times as long while the compilers are busy (default: 2000)")
    private int warmup = 2000;
    @Option(names = "--measure", paramLabel = "MS", description = "how long (default: 400, quick: 200)")
    private int measure;
    @Option(names = "--json", paramLabel = "FILE", description = "write the table as JSON, too")
    private Path json;
    @Option(names = "--svg", paramLabel = "FILE", description = "draw the round trips")
    private Path svg;

    @Option(names = "--publish", paramLabel = "DOCS",
            description = "write table, plot and JSON into performance.md there and the folder beside it")
    private Path docs;

    private final Map<Peer, Map<Integer, Row>> rows = new LinkedHashMap<>();
    /** Not those that need what is not here. */
    private final Set<Peer> failures = EnumSet.noneOf(Peer.class);

    /** Made by picocli. */
    BenchPeers() {
    }

    /**
     * Runs the command; see its --help. The JVM flags of the measuring processes are in the system property
     * {@code bench.flags}.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(CommandLines.execute(new BenchPeers(), args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (sizes.isEmpty()) {
            sizes = quick ? List.of(8) : List.of(8, 1024, 65_536, 1 << 20);
        }
        if (sizes.stream().anyMatch(size -> size < Long.BYTES || size > 1 << 20)) {
            throw new ParameterException(spec.commandLine(), "--sizes: a message has 8 to 1048576 bytes");
        }
        rounds = rounds > 0 ? rounds : quick ? 1 : 5;
        measure = measure > 0 ? measure : quick ? 200 : 400;
        Set<Peer> peers = only.isEmpty() ? EnumSet.allOf(Peer.class) : EnumSet.copyOf(only);
        for (int round = 1; round <= rounds; round++) {
            for (Peer peer : List.copyOf(peers)) {
                System.err.println("round " + round + " of " + rounds + ": " + peer);
                String trouble = run(peer);
                if (trouble != null) {
                    boolean noUcx = peer.isJucx() && trouble.contains("libuc");
                    System.err.println("  " + peer + " is left out: " + (noUcx ? JUCX_REMEDY : trouble));
                    if (!noUcx) {
                        failures.add(peer);
                    }
                    peers.remove(peer);
                    rows.remove(peer);
                }
            }
        }
        List<Row> table = table();
        print(table);
        if (table.isEmpty()) {
            return 1;
        }
        if (json != null) {
            writeJson(json, table);
        }
        if (svg != null) {
            Files.writeString(svg, PeerPlot.draw(table));
        }
        boolean well = failures.isEmpty();
        if (!well) {
            System.err.println("failed, see above: " + names(failures));
        }
        if (docs != null && !publish(table)) {
            System.err.println("nothing is published: a row has no row of jfabric's to be compared with");
            well = false;
        }
        return well ? 0 : 1;
    }

    private static String names(Set<Peer> peers) {
        return peers.stream().map(Peer::toString).collect(Collectors.joining(", "));
    }

    private static void writeJson(Path file, List<Row> table) throws IOException {
        Files.writeString(file, table.stream().map(Row::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    /** False, and nothing is written, if there is nothing to compare with. */
    private boolean publish(List<Row> table) throws IOException {
        if (table.stream().anyMatch(row -> Double.isNaN(reference(row, table)))) {
            return false;
        }
        String library = Fabric.version().major() + "." + Fabric.version().minor();
        String name = "performance/peers-" + library;
        writeJson(docs.resolve(name + ".json"), table);
        Files.writeString(docs.resolve(name + ".svg"), PeerPlot.draw(table));
        Page page = new Page(docs.resolve("performance.md"));
        page.replace("peers, libfabric " + library, Row.HEAD + table.stream()
                .map(row -> row.markdown(reference(row, table))).collect(Collectors.joining())
                + String.format("%n%d rounds, %s.%n%s[As JSON](%s.json).%n%n![Round trips, libfabric %s](%s.svg)%n",
                        rounds, Machine.describe(),
                        failures.isEmpty() ? "" : String.format("Failed: %s.%n", names(failures)),
                        name, library, name));
        page.write();
        return true;
    }

    /** What jfabric has for the same medium and size. */
    private static double reference(Row row, List<Row> table) {
        return table.stream().filter(other -> other.peer.isJfabric() && other.bytes == row.bytes
                && other.peer.medium == row.peer.medium).mapToDouble(Row::p50).findFirst().orElse(Double.NaN);
    }

    private String run(Peer peer) throws IOException, InterruptedException {
        List<String> java = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        java.addAll(List.of(System.getProperty("bench.flags", "").split(" +")));
        java.addAll(List.of("-cp", System.getProperty("java.class.path")));
        java.removeIf(String::isEmpty);
        long deadline = 30 + sizes.size() * (2L * (PingPong.LONGER + 1) * warmup + measure * 5L) / 1000;
        try (Pair pair = new Pair(peer, java, deadline)) {
            return pair.run(warmup, measure, sizes, line -> {
                if (RESULT.matcher(line).matches()) {
                    add(peer, line.split(" "));
                } else {
                    // UCX writes its warnings there
                    System.err.println(line);
                }
            });
        }
    }

    private void add(Peer peer, String... words) {
        rows.computeIfAbsent(peer, p -> new LinkedHashMap<>())
                .computeIfAbsent(Integer.valueOf(words[1]), bytes -> new Row(peer, bytes))
                .add(words[0], List.of(words).subList(2, words.length).toArray(String[]::new));
    }

    private List<Row> table() {
        return rows.values().stream().flatMap(row -> row.values().stream()).filter(Row::isComplete)
                .sorted(Comparator.comparing((Row row) -> row.peer.medium).thenComparing(row -> row.bytes)
                        .thenComparing(Row::p50)).toList();
    }

    private static void print(List<Row> table) {
        System.out.println("libfabric " + Fabric.version() + ", JDK " + Runtime.version() + ", "
                + Runtime.getRuntime().availableProcessors() + " CPUs. Round trips in us, medians of the rounds; "
                + "max of all rounds; rate one way in million messages a second;");
        System.out.println("ratio: p50 to jfabric's; lowest and highest p50 of a round.");
        System.out.println(String.format("%-38s %6s %9s %9s %9s %9s %9s %9s  %5s  %s", "", "bytes", "p50", "p90", "p99",
                "p99.9", "max", "rate", "ratio", "p50 lowest .. highest"));
        Row before = null;
        for (Row row : table) {
            if (before == null || before.bytes != row.bytes || before.peer.medium != row.peer.medium) {
                System.out.println("--- " + row.peer.medium.title + ", " + row.bytes + " bytes");
            }
            System.out.println(row.text(reference(row, table)));
            before = row;
        }
    }
}
