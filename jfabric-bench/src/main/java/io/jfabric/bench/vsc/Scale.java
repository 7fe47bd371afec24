// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.AddressVector;
import io.jfabric.info.Capability;
import io.jfabric.option.AddressVectorAttributes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Cases of many: addresses, endpoints, threads; twin of scale.c. */
final class Scale {
    private static final int AV_BATCH = 1000;
    private static final int ROUNDS = 10;
    private static final int SOCKADDR_BYTES = 16;
    private static final short AF_INET = 2;
    private static final int PAGE_KIB = 4;
    private static final ValueLayout.OfInt NETWORK_INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort NETWORK_SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private final OpenDomain domain;
    private final boolean memory;

    private Scale(OpenDomain domain, boolean memory) {
        this.domain = domain;
        this.memory = memory;
    }

    static void run(Options options) throws IOException, InterruptedException {
        for (Spec spec : options.specs()) {
            switch (spec.name()) {
                case "threads" -> Threads.run(options, spec);
                case "av-insert", "av-insert-memory", "endpoints", "endpoints-memory" -> alone(options, spec);
                default -> throw new IllegalArgumentException("no case " + spec.name());
            }
        }
    }

    private static void alone(Options options, Spec spec) throws IOException {
        boolean memory = spec.name().endsWith("-memory");
        try (OpenDomain domain = new OpenDomain(options, Capability.TAGGED)) {
            Scale scale = new Scale(domain, memory);
            DoubleSupplier chunk = spec.name().startsWith("av-") ? () -> scale.insertAddresses(spec.iterations())
                    : () -> scale.manyEndpoints(spec.iterations());
            new Turns(options, null).take(spec, memory ? "KiB" : "ms", chunk);
        }
    }

    /** Resident memory, or the time. */
    private double now() {
        if (!memory) {
            return System.nanoTime() / 1e6;
        }
        try {
            return Double.parseDouble(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * PAGE_KIB;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Milliseconds until the end, or KiB taken at the height. */
    private double cost(double start, double height) {
        return memory ? height - start : now() - start;
    }

    private double insertAddresses(long count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment batch = arena.allocate(AV_BATCH * SOCKADDR_BYTES, 8);
            MemorySegment results = arena.allocate(ValueLayout.JAVA_LONG, AV_BATCH);
            double start = now();
            double height;
            try (AddressVector vector = domain.domain.openAddressVector(
                    AddressVectorAttributes.DEFAULT.withCount(count))) {
                for (long i = 0; i < count; i += AV_BATCH) {
                    fill(batch, i);
                    if (vector.insertAll(batch, AV_BATCH, results) != AV_BATCH) {
                        throw new IllegalStateException("fi_av_insert took only a part");
                    }
                }
                height = memory ? now() : 0;
            }
            return cost(start, height);
        }
    }

    private static void fill(MemorySegment batch, long first) {
        for (int b = 0; b < AV_BATCH; b++) {
            long at = (long) b * SOCKADDR_BYTES;
            batch.set(ValueLayout.JAVA_SHORT, at, AF_INET);
            batch.set(NETWORK_SHORT, at + 2, (short) 5000);
            batch.set(NETWORK_INT, at + 4, (int) (0x0a000000 + first + b + 1));
        }
    }

    private double manyEndpoints(long count) {
        double start = now();
        List<Side> sides = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            sides.add(new Side(domain, 0));
        }
        for (int round = 0; round < ROUNDS; round++) {
            sides.forEach(Side::poll);
        }
        double height = memory ? now() : 0;
        sides.forEach(Side::close);
        return cost(start, height);
    }
}
