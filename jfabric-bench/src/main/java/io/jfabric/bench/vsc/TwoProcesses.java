// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.info.Capability;
import java.io.IOException;
import java.util.Arrays;

/** Cases of two processes, server and client, of which the client measures and prints; twin of two_processes.c. */
final class TwoProcesses {
    private static final int WINDOW = 64;
    private static final int ADDRESS_BYTES = 256;
    private static final int TAG = 7;
    private static final int ACK = 8;
    private static final int ACK_BYTES = 4;

    private final Options options;
    private final Side side;

    private TwoProcesses(Options options, Side side) {
        this.options = options;
        this.side = side;
    }

    static void run(Options options) throws IOException {
        try (Control control = new Control(options.peer());
                OpenDomain domain = new OpenDomain(options, Capability.TAGGED, Capability.RMA);
                Side side = new Side(domain, options.largest())) {
            TwoProcesses cases = new TwoProcesses(options, side);
            cases.exchange(control);
            for (Spec spec : options.specs()) {
                control.barrier();
                cases.measure(spec);
            }
            control.barrier();
        }
    }

    private void exchange(Control control) throws IOException {
        control.send(Arrays.copyOf(side.name(), ADDRESS_BYTES));
        control.send(new byte[16]);
        side.connect(control.receive(ADDRESS_BYTES));
        control.receive(16);
    }

    private void measure(Spec spec) {
        double[] chunks = new double[Spec.CHUNKS];
        run(spec, spec.warmup());
        for (int c = 0; c < chunks.length; c++) {
            long start = System.nanoTime();
            run(spec, spec.iterations());
            chunks[c] = value(spec, System.nanoTime() - start);
        }
        if (!options.server()) {
            spec.report(options, unit(spec), chunks);
        }
    }

    private void run(Spec spec, long count) {
        switch (spec.name()) {
            case "latency" -> latency(spec.bytes(), count);
            case "bandwidth", "message-rate" -> windows(spec.bytes(), count);
            default -> throw new IllegalArgumentException("no case " + spec.name() + " between two processes");
        }
    }

    private void latency(long bytes, long count) {
        long sent = side.sent;
        long received = side.received;
        for (long i = 0; i < count; i++) {
            side.receive(bytes, TAG);
            if (!options.server()) {
                side.send(bytes, TAG);
                side.awaitSent(++sent);
                side.awaitReceived(++received);
            } else {
                side.awaitReceived(++received);
                side.send(bytes, TAG);
                side.awaitSent(++sent);
            }
        }
    }

    private void windows(long bytes, long count) {
        long sent = side.sent;
        long received = side.received;
        for (long i = 0; i < count; i += WINDOW) {
            if (!options.server()) {
                side.receive(ACK_BYTES, ACK);
                for (int w = 0; w < WINDOW; w++) {
                    side.send(bytes, TAG);
                }
                sent += WINDOW;
                side.awaitSent(sent);
                side.awaitReceived(++received);
            } else {
                for (int w = 0; w < WINDOW; w++) {
                    side.receive(bytes, TAG);
                }
                received += WINDOW;
                side.awaitReceived(received);
                side.send(ACK_BYTES, ACK);
                side.awaitSent(++sent);
            }
        }
    }

    private static double value(Spec spec, double ns) {
        return switch (spec.name()) {
            case "latency" -> ns / 2000 / spec.iterations();
            case "write-latency" -> ns / 1000 / spec.iterations();
            case "message-rate" -> spec.iterations() * 1e3 / ns;
            default -> spec.iterations() * (double) spec.bytes() / ns;
        };
    }

    private static String unit(Spec spec) {
        return spec.name().contains("latency") ? "us" : spec.name().equals("message-rate") ? "Mmsg/s" : "GB/s";
    }
}
