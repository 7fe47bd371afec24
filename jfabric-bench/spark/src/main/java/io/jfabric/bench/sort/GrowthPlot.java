// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.sort;

import io.jfabric.bench.sort.SortPage.Point;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/** How throughput grows: a field for each number of ranks; megabytes of a rank to the right, GB/s upwards. */
final class GrowthPlot {
    private static final int FIELD = 230;
    private static final int GAP = 30;
    private static final int HEIGHT = 260;
    private static final int LEFT = 60;
    private static final int TOP = 70;
    private static final List<String> COLORS = List.of("#4e79a7", "#59a14f", "#e15759", "#bab0ac");

    private final List<Point> points;
    private final List<Integer> sizes;
    private final double highest;
    private final StringBuilder svg = new StringBuilder();

    private GrowthPlot(List<Point> points) {
        this.points = points;
        sizes = List.copyOf(new TreeSet<>(points.stream().map(Point::megabytes).toList()));
        highest = Math.ceil(points.stream().mapToDouble(Point::speed).max().orElse(1) * 10) / 10;
    }

    static String svg(List<Point> points, String machine) {
        return new GrowthPlot(points).draw(machine);
    }

    private String draw(String machine) {
        List<Integer> ranks = List.copyOf(new TreeSet<>(points.stream().map(Point::ranks).toList()));
        List<String> names = points.stream().map(Point::title).distinct().toList();
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                + "font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
                + "<text x=\"10\" y=\"20\" font-weight=\"bold\">Sorted, GB/s, by ranks and megabytes of each "
                + "(%s)</text>%n",
                LEFT + ranks.size() * (FIELD + GAP) + 20, TOP + HEIGHT + 50, machine);
        for (int i = 0; i < names.size(); i++) {
            add("<rect x=\"%d\" y=\"32\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"43\">%s</text>%n",
                    LEFT + i * 210, color(i), LEFT + i * 210 + 17, names.get(i));
        }
        for (int tick = 0; tick <= 4; tick++) {
            double speed = highest * tick / 4;
            add("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                    + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>%n", LEFT,
                    LEFT + ranks.size() * (FIELD + GAP), y(speed), y(speed), LEFT - 6, y(speed) + 4, speed);
        }
        for (int field = 0; field < ranks.size(); field++) {
            field(field, ranks.get(field), names);
        }
        return svg.append("</svg>\n").toString();
    }

    private void field(int field, int ranks, List<String> names) {
        int left = LEFT + field * (FIELD + GAP);
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\">%d rank%s</text>%n", left + FIELD / 2,
                TOP + HEIGHT + 38, ranks, ranks == 1 ? "" : "s");
        for (int megabytes : sizes) {
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d MB</text>%n", x(left, megabytes),
                    TOP + HEIGHT + 18, megabytes);
        }
        for (int name = 0; name < names.size(); name++) {
            // the best run of each
            TreeMap<Integer, Double> best = new TreeMap<>();
            for (Point point : points) {
                if (point.ranks() == ranks && point.title().equals(names.get(name))) {
                    best.merge(point.megabytes(), point.speed(), Math::max);
                }
            }
            StringBuilder line = new StringBuilder();
            best.forEach((megabytes, speed) -> line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(left, megabytes),
                    y(speed))));
            add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n", line, color(name));
            String fill = color(name);
            best.forEach((megabytes, speed) -> add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
                    x(left, megabytes), y(speed), fill));
        }
    }

    private double x(int left, int megabytes) {
        return sizes.size() == 1 ? left + FIELD / 2.0
                : left + 20 + (FIELD - 40.0) * sizes.indexOf(megabytes) / (sizes.size() - 1);
    }

    private double y(double speed) {
        return TOP + HEIGHT * (1 - speed / highest);
    }

    private static String color(int index) {
        return COLORS.get(index % COLORS.size());
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
