// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.util.List;
import java.util.Locale;

/**
 * Draws the ratios as an SVG: a bar for each case with the spread over the pairs, and a line where Java equals C. Bars
 * that are too long are cut, and show it.
 */
final class RatioPlot {
    private static final int ROW = 22;
    private static final int LEFT = 260;
    private static final int WIDTH = 420;
    private static final double MAX = 2.0;

    private RatioPlot() {
    }

    static String draw(List<Result> rows, String library) {
        int height = rows.size() * ROW + 76;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                + "font-family=\"sans-serif\" font-size=\"12\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                LEFT + WIDTH + 70, height));
        svg.append("<text x=\"10\" y=\"20\" font-weight=\"bold\">Java / C, libfabric " + library
                + ": cost (blue, less is better), rate (green, more is better)</text>\n"
                + "<text x=\"10\" y=\"36\">Thin lines: from the lowest to the highest pair. Bars with two strokes "
                + "are longer than drawn. Numbers without a unit: bytes.</text>\n");
        int y = 50;
        for (Result row : rows) {
            svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                    LEFT - 8, y + 13, row.key().label()));
            svg.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" "
                    + "fill=\"%s\"/>%n",
                    LEFT, y + 2, x(row.ratio()) - LEFT, row.key().isRate() ? "#59a14f" : "#4e79a7"));
            svg.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" "
                    + "stroke=\"#333\"/>%n",
                    x(row.lowest()), x(row.highest()), y + 9, y + 9));
            if (row.ratio() > MAX) {
                svg.append(String.format(Locale.ROOT, "<path d=\"M%d,%d l8,-16 M%d,%d l8,-16\" stroke=\"white\" "
                        + "stroke-width=\"3\"/>%n", LEFT + WIDTH - 24, y + 17, LEFT + WIDTH - 16, y + 17));
            }
            svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\">%.2f</text>%n", LEFT + WIDTH + 8, y + 13,
                    row.ratio()));
            y += ROW;
        }
        svg.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"46\" y2=\"%d\" stroke=\"red\" "
                + "stroke-dasharray=\"4\"/>%n<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">1.0</text>%n</svg>%n",
                x(1), x(1), y, x(1), y + 16));
        return svg.toString();
    }

    private static double x(double ratio) {
        return LEFT + Math.min(ratio, MAX) / MAX * WIDTH;
    }
}
