// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which cases run, with how many operations: enough for the JIT to have compiled everything, and chunks of about a
 * millisecond, shorter than what mostly disturbs them.
 */
final class Plan {
    /**
     * Of tcp;ofi_rxm, which else takes 70 MB for each endpoint, and 500 of them more than this machine may have; what
     * is measured then is how fast the machine finds memory.
     */
    private static final Map<String, String> SMALL_BUFFERS = Map.of("FI_OFI_RXM_BUFFER_SIZE", "128",
            "FI_OFI_RXM_TX_SIZE", "16", "FI_OFI_RXM_RX_SIZE", "16",
            "FI_OFI_RXM_MSG_TX_SIZE", "16", "FI_OFI_RXM_MSG_RX_SIZE", "16");
    private final boolean quick;
    private final boolean isComplete;
    private final int turns;
    /** Of what takes a second each time. */
    private final int fewTurns;
    private final Set<String> names;
    private final List<Spec> specs = new ArrayList<>();

    /** With no names: all; a pair that is not complete leaves out what takes long or matters less. */
    Plan(boolean quick, boolean isComplete, Set<String> names) {
        this.quick = quick;
        this.isComplete = isComplete;
        this.turns = quick ? 7 : 31;
        this.fewTurns = quick ? 1 : 3;
        this.names = names;
    }

    private void add(String kind, String name, int bytes, long warmup, long iterations) {
        if (names.isEmpty() || names.contains(name)) {
            specs.add(new Spec(kind, String.format(Locale.ROOT, "%s:%d:%d:%d", name, bytes, warmup, iterations),
                    turns, Map.of()));
        }
    }

    /** After having done it once, since the first to touch a machine's free memory is slower; the memory: at once. */
    private void many(String name, long count, int ofTurns, Map<String, String> environment) {
        if (isComplete && (names.isEmpty() || names.contains(name))) {
            specs.add(new Spec("scale", name + ":0:1:" + count + ":1", ofTurns, environment));
            specs.add(new Spec("scale", name + "-memory:0:0:" + count + ":1", 1, environment));
        }
    }

    List<Spec> specs(String provider) {
        specs.clear();
        boolean shm = provider.equals("shm");
        add("in-process", "round-trip", 8, shm ? 1_000_000 : 30_000, shm ? 2_000 : 60);
        add("in-process", "empty-poll", 0, shm ? 10_000_000 : 500_000, shm ? 20_000 : 2_000);
        add("in-process", "get-info", 0, shm ? 40_000 : 3_000, shm ? 100 : 4);
        if (shm && isComplete) {
            // what posting costs must not depend on the size
            add("in-process", "post-receive", 8, 640_000, 6_400);
            add("in-process", "post-receive", 1 << 20, 6_400, 64);
            add("in-process", "post-send", 1 << 20, 6_400, 64);
        }
        add("client", "latency", 8, shm ? 800_000 : 30_000, shm ? 2_000 : 100);
        add("client", "latency", 4096, shm ? 400_000 : 20_000, shm ? 1_000 : 80);
        add("client", "latency", 1 << 16, shm ? 30_000 : 5_000, shm ? 100 : 20);
        add("client", "latency", 1 << 20, shm ? 3_000 : 800, shm ? 10 : 4);
        add("client", "bandwidth", 1 << 16, shm ? 32_000 : 12_800, shm ? 256 : 128);
        add("client", "bandwidth", 1 << 20, shm ? 6_400 : 1_280, 64);
        add("client", "message-rate", 8, shm ? 2_560_000 : 64_000, shm ? 6_400 : 640);
        add("client", "write-latency", 8, shm ? 300_000 : 20_000, shm ? 1_000 : 60);
        add("client", "write-bandwidth", 1 << 20, shm ? 6_400 : 1_280, 64);
        add("scale", "threads", 1, shm ? 2_000_000 : 30_000, shm ? 5_000 : 100);
        add("scale", "threads", 8, shm ? 400_000 : 10_000, shm ? 2_000 : 100);
        if (!shm) {
            // shm's address vectors end at 256 peers
            many("av-insert", 1_000_000, fewTurns, Map.of());
        }
        int endpoints = quick ? 100 : 500;
        if (provider.equals("tcp")) {
            many("endpoints", endpoints, turns, SMALL_BUFFERS);
        } else {
            many("endpoints", endpoints, fewTurns, Map.of());
        }
        return List.copyOf(specs);
    }
}
