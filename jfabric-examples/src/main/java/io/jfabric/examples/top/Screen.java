// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.top;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;

/** What is shown: a line for each domain with rates, a curve of the last minute, and what was remarkable. */
final class Screen {
    private static final int HISTORY = 60;
    private static final int REMARKS = 8;
    private static final int KINDS = 4;
    /** A domain of which nothing has come for so long. */
    private static final long CLOSED = 5_000_000_000L;
    private static final String HEAD = String.format(Locale.ROOT, "%12s %12s %10s %8s %10s %12s  %s", "posted/s",
            "completed/s", "busy/s", "errors", "under way", "registered", "domain");
    private static final String LEVELS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";

    private final String title;
    private final Map<String, Row> rows = new TreeMap<>();
    private final Deque<String> remarks = new ArrayDeque<>();
    /** What is slow, by endpoint and operation: it is often the same again and again. */
    private final Map<String, Slow> slow = new LinkedHashMap<>();
    private boolean reported;

    Screen(String title) {
        this.title = title;
    }

    /** The operations of one kind that were slow. */
    private static final class Slow {
        private int times;
        private long longest;
    }

    /** What is known of a domain. */
    private static final class Row {
        private final Deque<Double> history = new ArrayDeque<>();
        private RecordedEvent last;
        private String line = "";
        private long heard;

        /** The second and later ones have rates. */
        void add(RecordedEvent event) {
            if (last != null) {
                double seconds = Math.max(1e-3, ChronoUnit.MICROS.between(last.getStartTime(), event.getStartTime())
                        / 1e6);
                double completed = rate(event, "completed", seconds);
                history.addLast(completed);
                if (history.size() > HISTORY) {
                    history.removeFirst();
                }
                line = String.format(Locale.ROOT, "%,12.0f %,12.0f %,10.0f %,8d %,10d %,10d K  %s",
                        rate(event, "posted", seconds), completed, rate(event, "busy", seconds),
                        event.getLong("errors"), event.getLong("underWay"), event.getLong("registeredBytes") >> 10,
                        string(event, "domain"));
            }
            last = event;
            heard = System.nanoTime();
        }

        private double rate(RecordedEvent now, String field, double seconds) {
            return Math.max(0, now.getLong(field) - last.getLong(field)) / seconds;
        }

        String curve() {
            double most = history.stream().mapToDouble(Double::doubleValue).max().orElse(0);
            StringBuilder curve = new StringBuilder();
            for (double one : history) {
                curve.append(LEVELS.charAt(most == 0 ? 0 : (int) Math.ceil(8 * one / most)));
            }
            return curve.toString();
        }
    }

    /** {@code jfabric.Counts}. */
    synchronized void counts(RecordedEvent event) {
        reported = true;
        rows.computeIfAbsent(string(event, "domain"), key -> new Row()).add(event);
    }

    /** {@code jfabric.SlowOperation}: one line for all of a kind, the latest last. */
    synchronized void slow(RecordedEvent event) {
        // sizes and tags differ from one to the next
        String key = string(event, "operation").replaceAll("0x\\p{XDigit}+|\\d+", "N") + " by "
                + string(event, "endpoint");
        Slow one = slow.remove(key);
        if (one == null) {
            one = new Slow();
        }
        one.times++;
        one.longest = Math.max(one.longest, event.getDuration("took").toMillis());
        slow.put(key, one);
        if (slow.size() > KINDS) {
            slow.remove(slow.keySet().iterator().next());
        }
    }

    /** Anything else: what it is called, and its fields. */
    synchronized void remark(RecordedEvent event) {
        StringBuilder text = new StringBuilder(time(event.getStartTime())).append("  ")
                .append(event.getEventType().getLabel());
        for (var field : event.getFields()) {
            if (!List.of("startTime", "duration", "eventThread", "stackTrace").contains(field.getName())) {
                boolean isTime = "jdk.jfr.Timespan".equals(field.getContentType());
                text.append("  ").append(field.getName()).append(' ').append(isTime
                        ? event.getDuration(field.getName()).toNanos() / 1000 + " us"
                        : "java.lang.String".equals(field.getTypeName()) ? string(event, field.getName())
                        : event.<Object>getValue(field.getName()));
            }
        }
        if (!event.getDuration().isZero()) {
            text.append("  ").append(event.getDuration().toNanos() / 1000).append(" us");
        }
        remarks.addLast(text.toString());
        if (remarks.size() > REMARKS) {
            remarks.removeFirst();
        }
    }

    /** No event is written without its strings, but one that was read from a busy process had lost one. */
    private static String string(RecordedEvent event, String field) {
        return Objects.requireNonNullElse(event.getString(field), "?");
    }

    private static String time(Instant instant) {
        return LocalTime.ofInstant(instant, ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The screen now. */
    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("jfabric-top   " + title + "   " + time(Instant.now()));
        lines.add("");
        rows.values().removeIf(row -> System.nanoTime() - row.heard > CLOSED);
        boolean any = rows.values().stream().anyMatch(row -> !row.line.isEmpty());
        lines.add(any ? HEAD : reported && rows.isEmpty() ? "no open domain" : "waiting for the second report");
        for (Row row : rows.values()) {
            if (!row.line.isEmpty()) {
                lines.add(row.line);
                String curve = row.curve();
                lines.add(" ".repeat(13) + (curve.isBlank() ? "nothing completed in the last minute"
                        : "|" + curve + "| completed, the last minute"));
            }
        }
        lines.add("");
        slow.forEach((what, one) -> lines.add("slow " + one.times + " times, up to " + one.longest + " ms: " + what));
        lines.addAll(remarks);
        return lines;
    }
}
