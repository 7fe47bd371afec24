// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Cases of two processes, server and client, of which the client measures and prints; twin of two_processes.c. */
final class TwoProcesses {
    private static final int ADDRESS_BYTES = 256;
    private static final int TAG = 7;
    private static final int ACK = 8;
    private static final int END = 9;
    private static final int ACK_BYTES = 4;
    private static final int REMOTE_BYTES = 24;

    private final Options options;
    private final Side side;
    private RemoteRegion remote;

    private TwoProcesses(Options options, Side side) {
        this.options = options;
        this.side = side;
    }

    static void run(Options options) throws IOException {
        try (Control control = new Control(options.peer());
                OpenDomain domain = new OpenDomain(options, capabilities(options));
                Side side = new Side(domain, options.largest());
                MemoryRegion region = domain.domain.register(side.memory, MemoryAccess.SEND, MemoryAccess.RECV,
                        MemoryAccess.READ, MemoryAccess.WRITE, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)) {
            TwoProcesses cases = new TwoProcesses(options, side);
            cases.exchange(control, region);
            Turns turns = new Turns(options, control);
            for (Spec spec : options.specs()) {
                control.barrier();
                turns.take(spec, unit(spec), () -> cases.chunk(spec));
            }
            control.barrier();
        }
    }

    private static Capability[] capabilities(Options options) {
        return options.has("atomic-latency") ? new Capability[] {Capability.TAGGED, Capability.RMA, Capability.ATOMIC}
                : new Capability[] {Capability.TAGGED, Capability.RMA};
    }

    private void exchange(Control control, MemoryRegion region) throws IOException {
        byte[] name = side.name();
        control.send(Arrays.copyOf(name, ADDRESS_BYTES));
        control.send(ByteBuffer.allocate(REMOTE_BYTES).order(ByteOrder.nativeOrder())
                .putLong(region.key()).putLong(region.remote().base()).putLong(name.length).array());
        byte[] theirs = control.receive(ADDRESS_BYTES);
        ByteBuffer about = ByteBuffer.wrap(control.receive(REMOTE_BYTES)).order(ByteOrder.nativeOrder());
        long key = about.getLong();
        remote = RemoteRegion.of(about.getLong(), side.memory.byteSize(), key);
        side.connect(Arrays.copyOf(theirs, (int) about.getLong()));
    }

    private double chunk(Spec spec) {
        long start = System.nanoTime();
        run(spec, spec.iterations());
        return value(spec, System.nanoTime() - start);
    }

    private void run(Spec spec, long count) {
        switch (spec.name()) {
            case "latency" -> latency(spec.bytes(), count);
            case "bandwidth", "message-rate" -> windows(spec.bytes(), count);
            case "wait-round-trip" -> sleepers(spec.bytes(), count);
            case "write-latency" -> writes(spec.bytes(), 1, count);
            case "write-bandwidth" -> writes(spec.bytes(), Side.WINDOW, count);
            case "read-latency" -> accesses(() -> side.read(spec.bytes(), remote, 0), 1, count);
            case "atomic-latency" -> accesses(() -> side.add(remote, side.sendBuffer.byteSize()), 1, count);
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

    /** Ping-pong of two sides that sleep until something comes. */
    private void sleepers(long bytes, long count) {
        long sent = side.sent;
        long received = side.received;
        for (long i = 0; i < count; i++) {
            side.receive(bytes, TAG);
            if (options.server()) {
                side.sleepUntilReceived(++received);
            }
            side.send(bytes, TAG);
            side.sleepUntilSent(++sent);
            if (!options.server()) {
                side.sleepUntilReceived(++received);
            }
        }
    }

    private void receiveWindow(long bytes) {
        for (int w = 0; w < Side.WINDOW; w++) {
            side.receive(bytes, TAG);
        }
    }

    private void windows(long bytes, long count) {
        long sent = side.sent;
        long received = side.received;
        if (options.server()) {
            receiveWindow(bytes);
        }
        for (long i = 0; i < count; i += Side.WINDOW) {
            if (!options.server()) {
                side.receive(ACK_BYTES, ACK);
                if (bytes <= side.injectSize) {
                    for (int w = 0; w < Side.WINDOW; w++) {
                        side.inject(bytes, TAG);
                    }
                } else {
                    for (int w = 0; w < Side.WINDOW; w++) {
                        side.send(bytes, TAG);
                    }
                    sent += Side.WINDOW;
                    side.awaitSent(sent);
                }
                side.awaitReceived(++received);
            } else {
                received += Side.WINDOW;
                side.awaitReceived(received);
                if (i + Side.WINDOW < count) {
                    receiveWindow(bytes);
                }
                side.send(ACK_BYTES, ACK);
                side.awaitSent(++sent);
            }
        }
    }

    private void writes(long bytes, int window, long count) {
        long offset = side.sendBuffer.byteSize();
        accesses(() -> side.write(bytes, remote, offset), window, count);
    }

    /** A window of accesses under way at once; the server only makes progress until it hears of the end. */
    private void accesses(Runnable access, int window, long count) {
        long sent = side.sent;
        if (options.server()) {
            side.receive(ACK_BYTES, END);
            side.awaitReceived(side.received + 1);
            return;
        }
        for (long i = 0; i < count; i += window) {
            for (int w = 0; w < window; w++) {
                access.run();
            }
            sent += window;
            side.awaitSent(sent);
        }
        side.send(ACK_BYTES, END);
        side.awaitSent(++sent);
    }

    private static double value(Spec spec, double ns) {
        return switch (spec.name()) {
            case "latency" -> ns / 2000 / spec.iterations();
            case "write-latency", "read-latency", "atomic-latency", "wait-round-trip" -> ns / 1000 / spec.iterations();
            case "message-rate" -> spec.iterations() * 1e3 / ns;
            default -> spec.iterations() * (double) spec.bytes() / ns;
        };
    }

    private static String unit(Spec spec) {
        return switch (spec.name()) {
            case "bandwidth", "write-bandwidth" -> "GB/s";
            case "message-rate" -> "Mmsg/s";
            default -> "us";
        };
    }
}
