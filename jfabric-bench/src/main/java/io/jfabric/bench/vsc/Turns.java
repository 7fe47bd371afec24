// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;

/** Warm-up, turns and statistics; twin of turns.c. */
final class Turns {
    private static final int PAUSES = 32;
    private static final long PAUSE_NANOS = 10_000_000;

    private final Options options;
    private final Control control;

    /** The control socket is null if there is no peer. */
    Turns(Options options, Control control) {
        this.options = options;
        this.control = control;
    }

    static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }

    /**
     * Waits until it is asked for, warms up, then takes turns: in each, chunks one right after the other, of which the
     * median counts. The warm-up is made of chunks too: one long loop would be compiled in another way than the short
     * ones that are measured.
     */
    void take(Spec spec, String unit, DoubleSupplier chunk) throws IOException {
        // whoever starts several programs lets one after the other warm up
        if (!next(-1)) {
            return;
        }
        long rounds = Math.ceilDiv(spec.warmup(), spec.iterations());
        for (long round = 1; round <= rounds; round++) {
            chunk.getAsDouble();
            // two processes that never sleep leave the compilers no processor of a small machine
            if (round % Math.max(1, rounds / PAUSES) == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        if (options.waits()) {
            System.out.println("ready " + unit);
        }
        List<Double> values = new ArrayList<>();
        double[] chunks = new double[spec.chunks()];
        while (next(values.size())) {
            for (int c = 0; c < chunks.length; c++) {
                chunks[c] = chunk.getAsDouble();
            }
            values.add(median(chunks));
            if (options.waits()) {
                System.out.printf(Locale.ROOT, "turn %.6g%n", values.getLast());
            }
        }
        if (!options.server() && !options.waits() && !values.isEmpty()) {
            double[] all = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            System.out.printf(Locale.ROOT, "result %s %s %d %s %.6g %.6g%n", spec.name(), options.provider(),
                    spec.bytes(), unit, median(all), all[0]);
        }
    }

    /** Whether there is another turn: the server asks the client, and that or a single process asks its user. */
    private boolean next(int turns) throws IOException {
        if (options.server()) {
            return control.receiveMore();
        }
        boolean more = options.waits() ? line() : turns < options.turns();
        if (control != null) {
            control.sendMore(more);
        }
        return more;
    }

    private static boolean line() throws IOException {
        int c;
        do {
            c = System.in.read();
        } while (c != '\n' && c >= 0);
        return c >= 0;
    }
}
