// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call;

import io.jfabric.internal.async.Ticks;
import java.util.function.BooleanSupplier;

/**
 * Memory that the provider may still use as its owner ends: nobody waits for that, and it is not to stay as long as the
 * domain does.
 */
final class Leftover {
    private static final long FIRST_PAUSE = 5;
    private static final long LONGEST_PAUSE = 1000;
    /** After some minutes it is the domain that frees it: the provider has it for good. */
    private static final int MOST_TRIES = 200;

    private Leftover() {
    }

    /** Tries to close until that succeeds: now, and by the clock. */
    static void close(BooleanSupplier tryClose) {
        close(tryClose, FIRST_PAUSE, MOST_TRIES);
    }

    private static void close(BooleanSupplier tryClose, long pause, int tries) {
        if (!tryClose.getAsBoolean() && tries > 0) {
            Ticks.once(pause, () -> close(tryClose, Math.min(2 * pause, LONGEST_PAUSE), tries - 1));
        }
    }
}
