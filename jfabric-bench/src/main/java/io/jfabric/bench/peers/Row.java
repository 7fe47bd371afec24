// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What all rounds gave for a peer and a size. */
final class Row {
    private static final double MICRO = 1e3;
    private static final double MEGA = 1e6;

    /** Of the table in Markdown. */
    static final String HEAD = "| | bytes | p50 | p90 | p99 | p99.9 | max | million/s | p50 to jfabric's | "
            + "p50 of the rounds |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";

    final Peer peer;
    final int bytes;
    private final List<double[]> latencies = new ArrayList<>();
    private final List<Double> rates = new ArrayList<>();

    Row(Peer peer, int bytes) {
        this.peer = peer;
        this.bytes = bytes;
    }

    /** A line of PingPong's: everything after its first two words. */
    void add(String kind, String... values) {
        if (kind.equals("rate")) {
            rates.add(Double.parseDouble(values[0]) / MEGA);
        } else {
            latencies.add(Arrays.stream(values).skip(1).mapToDouble(v -> Double.parseDouble(v) / MICRO).toArray());
        }
    }

    boolean isComplete() {
        return !rates.isEmpty() && !latencies.isEmpty();
    }

    private static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }

    private double latency(int column) {
        return median(latencies.stream().mapToDouble(values -> values[column]).toArray());
    }

    /** Median over the rounds, microseconds there and back. */
    double p50() {
        return latency(0);
    }

    double p90() {
        return latency(1);
    }

    double p99() {
        return latency(2);
    }

    double p999() {
        return latency(3);
    }

    /** The worst of all rounds. */
    double max() {
        return latencies.stream().mapToDouble(values -> values[4]).max().orElseThrow();
    }

    /** The best and the worst round's median. */
    double lowest() {
        return latencies.stream().mapToDouble(values -> values[0]).min().orElseThrow();
    }

    double highest() {
        return latencies.stream().mapToDouble(values -> values[0]).max().orElseThrow();
    }

    /** Million messages a second. */
    double rate() {
        return median(rates.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** The second argument is the p50 that this one is put in relation to. */
    String text(double reference) {
        return String.format(Locale.ROOT, "%-38s %6d %9.2f %9.2f %9.2f %9.2f %9.0f %9.4g  %5.2f  %.2f .. %.2f",
                peer.title, bytes, p50(), p90(), p99(), p999(), max(), rate(), p50() / reference, lowest(), highest());
    }

    /** As {@link #text}, of the table in Markdown. */
    String markdown(double reference) {
        String title = peer.title + (peer.medium.isCalls() ? ", calls" : "");
        return String.format(Locale.ROOT, "| %s | %d | %s | %s | %s | %s | %.0f | %.3g | %.2f | %s .. %s |%n",
                peer.isJfabric() ? "**" + title + "**" : title, bytes, micros(p50()), micros(p90()), micros(p99()),
                micros(p999()), max(), rate(), p50() / reference, micros(lowest()), micros(highest()));
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 1000 ? "%.1f" : "%.0f", value);
    }

    String json() {
        return String.format(Locale.ROOT, "  {\"peer\": \"%s\", \"library\": \"%d.%d\", \"setting\": \"%s\", "
                + "\"medium\": \"%s\", \"bytes\": %d, \"unit\": \"us\", "
                + "\"p50\": %.4g, \"p90\": %.4g, \"p99\": %.4g, \"p99.9\": %.4g, \"max\": %.4g, \"p50Min\": %.4g, "
                + "\"p50Max\": %.4g, \"millionMessagesPerSecond\": %.4g, \"rounds\": %d}", peer.id,
                Fabric.version().major(), Fabric.version().minor(), peer.setting(),
                peer.medium.name().toLowerCase(Locale.ROOT), bytes, p50(), p90(), p99(), p999(), max(), lowest(),
                highest(), rate(), latencies.size());
    }
}
