// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.clock.Aside;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * How late calls end: one after the other, as a thread for each takes far longer where there are thousands, and not in
 * the clock's thread, as the program's continuations may wait for calls that the clock has to end. While they last,
 * each look of the clock adds a thread, so that one that waits does not keep the others for long.
 */
final class LateEnds {
    private final Completing completing;
    private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();

    LateEnds(Completing completing) {
        this.completing = completing;
    }

    void add(Runnable end) {
        ends.add(end);
    }

    boolean areLeft() {
        return !ends.isEmpty();
    }

    /** By the clock. If this throws, as without memory for a thread, its next look tries again. */
    void tick() {
        if (areLeft()) {
            Aside.start(this::endAll);
        }
    }

    private void endAll() {
        for (Runnable end = ends.poll(); end != null; end = ends.poll()) {
            completing.run(end);
        }
    }
}
