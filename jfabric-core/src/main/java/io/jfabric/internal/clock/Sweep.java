// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Looks for what is late, again and again as long as there is anything to look at. This is in the clock's thread, which
 * serves everybody: what it finds must be ended in another one.
 */
public final class Sweep {
    private static final int ASLEEP = 0;
    private static final int LOOKING = 1;
    /** Something has come since the last look, and the next will find it. */
    private static final int TOLD = 2;

    private final Timer timer;
    private final long millis;
    private final BooleanSupplier look;
    private final AtomicInteger state = new AtomicInteger(ASLEEP);

    /** The look returns whether another one is needed, this many milliseconds later. */
    public Sweep(long millis, BooleanSupplier look) {
        this(Ticks::once, millis, look);
    }

    public Sweep(Timer timer, long millis, BooleanSupplier look) {
        this.timer = timer;
        this.millis = millis;
        this.look = look;
    }

    /** There is something to look at. Any thread. */
    public void begin() {
        if (state.get() != TOLD && state.getAndSet(TOLD) == ASLEEP) {
            lookLater();
        }
    }

    /** If it fails, whoever comes next tries again. */
    private void lookLater() {
        boolean later = false;
        try {
            timer.once(millis, this::look);
            later = true;
        } finally {
            if (!later) {
                state.set(ASLEEP);
            }
        }
    }

    private void look() {
        state.set(LOOKING);
        boolean again = true;
        try {
            again = look.getAsBoolean();
        } finally {
            // a look that fails must not be the last one
            if (again || !state.compareAndSet(LOOKING, ASLEEP)) {
                lookLater();
            }
        }
    }

    /** As {@link Ticks#once}, which throws where there is no memory. */
    public interface Timer {
        void once(long millis, Runnable action);
    }
}
