// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.util.List;
import java.util.Locale;

/** Draws round trips as an SVG with a logarithmic axis: a bar to the median, a line on to p99.9, a tick at p99. */
final class PeerPlot {
    private static final int ROW = 20;
    private static final int LEFT = 310;
    private static final int WIDTH = 560;
    private static final int RIGHT = 70;
    private static final int TOP = 50;

    private final double low;
    private final double decades;
    private final StringBuilder svg = new StringBuilder();

    private PeerPlot(List<Row> rows) {
        low = Math.floor(Math.log10(rows.stream().mapToDouble(Row::p50).min().orElseThrow()));
        decades = Math.ceil(Math.log10(rows.stream().mapToDouble(Row::p999).max().orElseThrow())) - low;
    }

    /** The rows, in this order, with a heading wherever medium or size changes. */
    static String draw(List<Row> rows) {
        return new PeerPlot(rows).svg(rows);
    }

    private String svg(List<Row> rows) {
        int y = TOP;
        Row before = null;
        for (Row row : rows) {
            if (before == null || before.bytes != row.bytes || before.peer.medium != row.peer.medium) {
                y += ROW;
                add("<text x=\"10\" y=\"%d\" font-weight=\"bold\">%d bytes, %s</text>%n", y + 13, row.bytes,
                        row.peer.medium.title);
                y += ROW;
            }
            bar(row, y);
            y += ROW;
            before = row;
        }
        int height = y + ROW;
        StringBuilder whole = new StringBuilder(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                + "width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
                + "<text x=\"10\" y=\"20\" font-weight=\"bold\">Round trip between two processes, microseconds, "
                + "logarithmic: bar to p50, tick p99, line to p99.9</text>%n", LEFT + WIDTH + RIGHT, height));
        for (int decade = 0; decade <= decades; decade++) {
            double x = LEFT + WIDTH * decade / decades;
            whole.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" "
                    + "stroke=\"#ccc\"/>%n<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x, x, TOP, y, x, TOP - 6, label(Math.pow(10, low + decade))));
        }
        return whole.append(svg).append("</svg>\n").toString();
    }

    private static String label(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.4g", value)
                .replaceAll("0+$", "");
    }

    private void bar(Row row, int y) {
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n", LEFT - 8, y + 13, row.peer.title);
        add("<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>%n", LEFT, y + 2, x(row.p50()) - LEFT,
                row.peer.isJfabric() ? "#4e79a7" : "#bab0ac");
        add("<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#333\"/>%n", x(row.p50()), x(row.p999()), y + 9,
                y + 9);
        add("<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#333\"/>%n", x(row.p99()), x(row.p99()), y + 4,
                y + 14);
        add("<text x=\"%d\" y=\"%d\">%s</text>%n", LEFT + WIDTH + 8, y + 13,
                String.format(Locale.ROOT, row.p50() < 10 ? "%.2f" : "%.1f", row.p50()));
    }

    private double x(double micros) {
        return LEFT + WIDTH * (Math.log10(micros) - low) / decades;
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
