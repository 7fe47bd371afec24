// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call;

import io.jfabric.FabricArena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives payloads that nobody wants any more, all into the same memory: what nobody receives stays with the provider,
 * and keeps its sender waiting.
 */
final class Discards {
    /** As long as a sender may still be about to send. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** So that no peer can fill the provider's queue with them. */
    private static final int MOST = 1024;

    private final Wire wire;
    private final FabricArena arena;
    private final AtomicInteger underWay = new AtomicInteger();
    private MemorySegment memory;

    Discards(Wire wire, FabricArena arena) {
        this.wire = wire;
        this.arena = arena;
    }

    void add(long size, long tag) {
        if (underWay.incrementAndGet() > MOST) {
            underWay.decrementAndGet();
            return;
        }
        try {
            wire.receivePayload(memory().asSlice(0, size), tag, PATIENCE).received()
                    .whenComplete((done, failure) -> underWay.decrementAndGet());
        } catch (IllegalStateException closed) {
            // so is what it would have come from
        }
    }

    private synchronized MemorySegment memory() {
        if (memory == null) {
            memory = arena.allocate(Wire.EAGER, 64);
        }
        return memory;
    }
}
