// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A picture of the time of each rank: a bar, with the phases one after the other. */
public final class SortPlot {
    private static final int LEFT = 150;
    private static final int WIDTH = 640;
    private static final int ROW = 26;
    private static final int TOP = 60;
    private static final List<String> COLORS = List.of("#88a", "#e9b44c", "#3a7ca5", "#7fb069", "#c8553d", "#999");

    private SortPlot() {
    }

    /** The picture as SVG. */
    public static String svg(String title, List<String> phases, List<String> ranks, List<double[]> seconds) {
        double longest = Math.max(1e-9, seconds.stream().mapToDouble(s -> Arrays.stream(s).sum()).max().orElse(1));
        StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                        + "font-size=\"13\">%n<text x=\"10\" y=\"20\" font-size=\"15\">%s</text>%n",
                LEFT + WIDTH + 80, TOP + ROW * ranks.size() + 10, escape(title)));
        for (int i = 0; i < phases.size(); i++) {
            int x = 10 + i * 120;
            svg.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"32\" width=\"12\" height=\"12\" fill=\"%s\"/>"
                    + "<text x=\"%d\" y=\"43\">%s</text>%n", x, color(i), x + 17, escape(phases.get(i))));
        }
        for (int rank = 0; rank < ranks.size(); rank++) {
            int y = TOP + rank * ROW;
            svg.append(String.format(Locale.ROOT, "<text x=\"10\" y=\"%d\">%s</text>", y + 15,
                    escape(ranks.get(rank))));
            double x = LEFT;
            double[] parts = seconds.get(rank);
            for (int i = 0; i < parts.length; i++) {
                double width = parts[i] / longest * WIDTH;
                svg.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" "
                        + "fill=\"%s\"/>", x, y, width, ROW - 6, color(i)));
                x += width;
            }
            svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%.2f s</text>%n", x + 5, y + 15,
                    Arrays.stream(parts).sum()));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String color(int phase) {
        return COLORS.get(phase % COLORS.size());
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
