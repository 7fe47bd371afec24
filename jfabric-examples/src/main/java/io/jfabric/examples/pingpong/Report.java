// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import java.io.PrintStream;
import java.util.Locale;

/** The table on stdout, column by column what {@code fi_pingpong} prints. */
final class Report {
    private final PrintStream out;
    private boolean started;

    Report(PrintStream out) {
        this.out = out;
    }

    /**
     * Prints one line; nothing if nothing was sent.
     *
     * @param size bytes per message
     * @param sent messages of this side
     * @param acknowledged answers that the client counted
     * @param micros how long it took
     */
    void line(int size, int sent, long acknowledged, long micros) {
        if (sent == 0) {
            return;
        }
        if (!started) {
            started = true;
            print("%-8s%-8s%-9s%-8s%8s %10s%13s%13s%n", "bytes", "#sent", "#ack", "total", "time", "MB/sec",
                    "usec/xfer", "Mxfers/sec");
        }
        long bytes = 2L * sent * size;
        // below the clock's resolution there is no rate to tell
        long elapsed = Math.max(micros, 1);
        float perMessage = elapsed / (2f * sent);
        print("%-8s%-8s%-9s%-8s%8.2fs%10.2f%11.2f%11.2f%n", bytes(size), count(sent),
                difference(sent, acknowledged), bytes(bytes), elapsed / 1e6, (double) bytes / elapsed, perMessage,
                1 / perMessage);
        out.flush();
    }

    private void print(String format, Object... args) {
        out.printf(Locale.ROOT, format, args);
    }

    private static String difference(long sent, long acknowledged) {
        if (sent == acknowledged) {
            return "=" + count(sent);
        }
        return sent < acknowledged ? "-" + count(acknowledged - sent) : "+" + count(sent - acknowledged);
    }

    /** 1k for 1024, and one more digit where the number has but one. */
    static String bytes(long size) {
        int shift = size >= 1 << 30 ? 30 : size >= 1 << 20 ? 20 : size >= 1 << 10 ? 10 : 0;
        long whole = size >> shift;
        long tenths = whole < 10 ? (size - (whole << shift)) * 10 >> shift : 0;
        return whole + (tenths > 0 ? "." + tenths : "") + switch (shift) {
            case 30 -> "g";
            case 20 -> "m";
            case 10 -> "k";
            default -> "";
        };
    }

    /** 1k for 1000. */
    static String count(long count) {
        if (count >= 1_000_000_000) {
            return count / 1_000_000_000 + "b";
        }
        if (count >= 1_000_000) {
            return count / 1_000_000 + "m";
        }
        return count >= 1000 ? count / 1000 + "k" : Long.toString(count);
    }
}
