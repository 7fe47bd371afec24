// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which cases run, with how many operations: enough for the JIT to have compiled everything, short on slow ones. */
final class Plan {
    private final boolean quick;
    private final Set<String> names;

    /** With no names: all. */
    Plan(boolean quick, Set<String> names) {
        this.quick = quick;
        this.names = names;
    }

    private void add(List<String> specs, String name, int bytes, long warmup, long iterations) {
        if (names.isEmpty() || names.contains(name)) {
            specs.add(String.format(Locale.ROOT, "%s:%d:%d:%d", name, bytes, warmup, iterations));
        }
    }

    List<String> inProcess(boolean shm) {
        List<String> specs = new ArrayList<>();
        add(specs, "round-trip", 8, shm ? 300_000 : 10_000, shm ? 2_000 : 20);
        add(specs, "empty-poll", 0, shm ? 100_000 : 20_000, shm ? 10_000 : 200);
        add(specs, "get-info", 0, shm ? 5_000 : 200, shm ? 20 : 1);
        return specs;
    }

    List<String> twoProcesses(boolean shm) {
        int scale = quick ? 1 : 4;
        List<String> specs = new ArrayList<>();
        add(specs, "latency", 8, shm ? 100_000 : 10_000, (shm ? 5_000 : 200) * scale);
        add(specs, "latency", 4096, shm ? 20_000 : 1_000, (shm ? 1_000 : 100) * scale);
        add(specs, "latency", 1 << 16, shm ? 1_000 : 200, (shm ? 200 : 50) * scale);
        add(specs, "latency", 1 << 20, 50, 10 * scale);
        add(specs, "bandwidth", 1 << 16, 640, 256 * scale);
        add(specs, "bandwidth", 1 << 20, 128, 64 * scale);
        add(specs, "message-rate", 8, shm ? 64_000 : 12_800, (shm ? 12_800 : 1_280) * scale);
        add(specs, "write-latency", 8, shm ? 100_000 : 4_000, (shm ? 5_000 : 100) * scale);
        add(specs, "write-bandwidth", 1 << 20, 128, 64 * scale);
        return specs;
    }

    List<String> scale(boolean shm) {
        List<String> specs = new ArrayList<>();
        if (shm) {
            add(specs, "threads", 1, 50_000, 50_000);
            add(specs, "threads", 8, 50_000, 20_000);
            add(specs, "endpoints", 0, 0, quick ? 50 : 500);
        } else {
            // shm's address vectors end at 256 peers
            add(specs, "av-insert", 0, 0, quick ? 100_000 : 1_000_000);
        }
        return specs;
    }
}
