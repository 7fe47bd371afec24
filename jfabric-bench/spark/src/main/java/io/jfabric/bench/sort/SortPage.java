// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.sort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What scripts/bench-sort has measured, as a table and a picture.
 *
 * <p>Usage: SortPage FILE.csv RANKS MEGABYTES MACHINE DIRECTORY: writes table.md and sort-growth.svg there, prints the
 * table. Fails if somebody has sorted other records
 */
public final class SortPage {
    private static final Map<String, String> TITLES = Map.of("jfabric-tcp", "jfabric, tcp", "jfabric-shm",
            "jfabric, shm", "spark", "Apache Spark 4.2, local-cluster");

    /** A line of the file. */
    record Point(String who, int ranks, int megabytes, double seconds, double speed, int memory, String checksum) {
        static Point of(String line) {
            String[] parts = line.split(",");
            return new Point(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]),
                    Double.parseDouble(parts[3]), Double.parseDouble(parts[4]), Integer.parseInt(parts[5]), parts[6]);
        }

        String title() {
            return TITLES.getOrDefault(who, who);
        }
    }

    private SortPage() {
    }

    /** Writes both. */
    public static void main(String[] args) throws IOException {
        List<Point> points = Files.readAllLines(Path.of(args[0])).stream().skip(1).map(Point::of).toList();
        int ranks = Integer.parseInt(args[1]);
        int megabytes = Integer.parseInt(args[2]);
        checkThatAllHaveSortedTheSame(points);
        String table = table(points.stream().filter(p -> p.ranks() == ranks && p.megabytes() == megabytes).toList(),
                ranks, megabytes, args[3]);
        if (points.stream().map(Point::ranks).distinct().count() > 1) {
            table += String.format("%n![GB/s by ranks and megabytes](performance/sort-growth.svg)%n");
        }
        System.out.print(table);
        Files.writeString(Path.of(args[4], "table.md"), table);
        Files.writeString(Path.of(args[4], "sort-growth.svg"), GrowthPlot.svg(points, args[3]));
    }

    private static void checkThatAllHaveSortedTheSame(List<Point> points) {
        Map<List<Integer>, Point> first = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (Point point : points) {
            Point other = first.putIfAbsent(List.of(point.ranks(), point.megabytes()), point);
            if (other != null && !other.checksum().equals(point.checksum())) {
                throw new IllegalStateException("not the same records: " + other + ", " + point);
            }
        }
    }

    private static String table(List<Point> points, int ranks, int megabytes, String machine) {
        Map<String, List<Point>> runs = new LinkedHashMap<>();
        for (Point point : points) {
            runs.merge(point.title(), List.of(point), SortPage::joined);
        }
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%d MB over %d ranks, %s, checksum %s:%n%n"
                + "| Sorted by | Seconds | GB/s | Most memory of a rank, MB | of its %d MB |%n"
                + "|---|---:|---:|---:|---:|%n",
                ranks * megabytes, ranks, machine, points.getFirst().checksum(), megabytes));
        runs.forEach((title, all) -> {
            Point middle = all.stream().sorted((a, b) -> Double.compare(a.seconds(), b.seconds())).toList()
                    .get(all.size() / 2);
            int memory = all.stream().mapToInt(Point::memory).max().orElseThrow();
            text.append(String.format(Locale.ROOT, "| %s | %.1f | %.2f | %d | %.2f |%n", title, middle.seconds(),
                    middle.speed(), memory, (double) memory / megabytes));
        });
        return text.append(String.format("%n![Where the time goes, on tcp](performance/sort-phases.svg)%n"))
                .toString();
    }

    private static List<Point> joined(List<Point> some, List<Point> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
