// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.single;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Lines as an SVG: nanoseconds, logarithmic, over whatever the marks on the other axis say. */
final class Plot {
    private static final int LEFT = 70;
    private static final int TOP = 34;
    private static final int WIDTH = 560;
    private static final int HEIGHT = 320;
    private static final int LINE = 16;
    private static final List<String> COLORS = List.of("#333333", "#4e79a7", "#e15759", "#59a14f", "#f28e2b");

    private final StringBuilder svg = new StringBuilder();
    private final double lowX;
    private final double highX;
    private final double lowY;
    private final double highY;

    private Plot(Map<String, TreeMap<Double, Double>> lines) {
        lowX = lines.values().stream().mapToDouble(TreeMap::firstKey).min().orElse(0);
        highX = lines.values().stream().mapToDouble(TreeMap::lastKey).max().orElse(1);
        lowY = Math.floor(Math.log10(lines.values().stream().flatMap(line -> line.values().stream())
                .mapToDouble(Double::doubleValue).min().orElse(1)));
        highY = Math.ceil(Math.log10(lines.values().stream().flatMap(line -> line.values().stream())
                .mapToDouble(Double::doubleValue).max().orElse(10)));
    }

    /** The x axis is linear in the keys; the marks name some of them. */
    static String draw(String title, Map<String, TreeMap<Double, Double>> lines, Map<Double, String> marks) {
        return new Plot(lines).svg(title, lines, marks);
    }

    private double x(double value) {
        return LEFT + WIDTH * (value - lowX) / (highX - lowX);
    }

    private double y(double nanos) {
        return TOP + HEIGHT * (highY - Math.log10(nanos)) / (highY - lowY);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private String svg(String title, Map<String, TreeMap<Double, Double>> lines, Map<Double, String> marks) {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                + "font-size=\"12\">", LEFT + WIDTH + 30, TOP + HEIGHT + 40);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        add("<text x=\"10\" y=\"18\" font-weight=\"bold\">%s</text>", title);
        for (double decade = lowY; decade <= highY; decade++) {
            double nanos = Math.pow(10, decade);
            add("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, LEFT + WIDTH, y(nanos),
                    y(nanos));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 6, y(nanos) + 4, Units.time(nanos));
        }
        marks.forEach((at, text) -> add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x(at),
                TOP + HEIGHT + 18, text));
        int i = 0;
        for (var line : lines.entrySet()) {
            String color = COLORS.get(i % COLORS.size());
            add("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>", color,
                    line.getValue().entrySet().stream().map(e -> String.format(Locale.ROOT, "%.1f,%.1f", x(e.getKey()),
                            y(e.getValue()))).collect(Collectors.joining(" ")));
            add("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>", LEFT + 14, TOP + LINE * ++i, color, line.getKey());
        }
        add("</svg>");
        return svg.toString();
    }
}
