// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Draws latency over size, both axes logarithmic, as an SVG: for each provider and language dots, joined by a line. */
final class LatencyPlot {
    private static final int LEFT = 60;
    private static final int TOP = 30;
    private static final int WIDTH = 500;
    private static final int HEIGHT = 300;
    private static final int MAX_LOG_BYTES = 21;
    private static final List<String> COLORS = List.of("#4e79a7", "#e15759", "#59a14f");

    private final StringBuilder svg = new StringBuilder();
    private final List<Result> rows;
    private final double lowest;
    private final double highest;

    private LatencyPlot(List<Result> rows) {
        this.rows = rows;
        lowest = Math.floor(Math.log10(rows.stream().mapToDouble(r -> Math.min(r.c(), r.java())).min().orElse(0.1)));
        highest = Math.ceil(Math.log10(rows.stream().mapToDouble(r -> Math.max(r.c(), r.java())).max().orElse(1000)));
    }

    static String draw(List<Result> all, String library) {
        return new LatencyPlot(all.stream().filter(row -> row.key().name().equals("latency")
                && row.key().setting().equals("default")).sorted(Comparator.comparing(row -> row.key().bytes()))
                .toList()).draw(library);
    }

    private static double x(double bytes) {
        return LEFT + WIDTH * (Math.log(bytes) / Math.log(2) - 2) / (MAX_LOG_BYTES - 2);
    }

    private double y(double micros) {
        return TOP + HEIGHT * (highest - Math.log10(micros)) / (highest - lowest);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private String draw(String library) {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                + "font-size=\"12\">", LEFT + WIDTH + 100, TOP + HEIGHT + 45);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        add("<text x=\"10\" y=\"18\" font-weight=\"bold\">Latency between two processes (half a round trip), "
                + "libfabric %s</text>", library);
        for (double decade = lowest; decade <= highest; decade++) {
            double value = Math.pow(10, decade);
            add("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, LEFT + WIDTH, y(value),
                    y(value));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s us</text>", LEFT - 6, y(value) + 4,
                    value < 1 ? String.format(Locale.ROOT, "%.1f", value) : Long.toString((long) value));
        }
        rows.stream().map(row -> row.key().bytes()).distinct().forEach(bytes -> add(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x(bytes), TOP + HEIGHT + 18,
                bytes >= 1 << 20 ? (bytes >> 20) + " MiB" : bytes >= 1 << 10 ? (bytes >> 10) + " KiB" : bytes + " B"));
        List<String> providers = rows.stream().map(row -> row.key().provider()).distinct().toList();
        for (int i = 0; i < providers.size(); i++) {
            String provider = providers.get(i);
            String color = COLORS.get(i % COLORS.size());
            line(provider, color, "6 4", Result::c);
            line(provider, color, "none", Result::java);
            add("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s: Java</text>", LEFT + 12, TOP + 14 + 34 * i, color, provider);
            add("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s: C (dashed)</text>", LEFT + 12, TOP + 29 + 34 * i, color,
                    provider);
        }
        add("</svg>");
        return svg.toString();
    }

    private void line(String provider, String color, String dashes, ToDoubleFunction<Result> value) {
        List<Result> own = rows.stream().filter(row -> row.key().provider().equals(provider)).toList();
        add("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\" points=\"%s\"/>", color,
                dashes, own.stream().map(row -> String.format(Locale.ROOT, "%.1f,%.1f", x(row.key().bytes()),
                        y(value.applyAsDouble(row)))).collect(Collectors.joining(" ")));
        own.forEach(row -> add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x(row.key().bytes()),
                y(value.applyAsDouble(row)), color));
    }
}
