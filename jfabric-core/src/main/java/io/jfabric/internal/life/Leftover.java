// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.FabricException;
import io.jfabric.internal.clock.Aside;
import java.util.function.BooleanSupplier;

/**
 * Closing of what the provider may still use when its owner ends, such as memory: nobody waits for that, but it should
 * not stay as long as the domain.
 */
public final class Leftover {
    private static final long FIRST_PAUSE = 5;
    private static final long LONGEST_PAUSE = 1000;
    /** After a minute it is left to the domain: the provider keeps it for good. */
    private static final int MOST_TRIES = 60;

    private Leftover() {
    }

    /** Tries to close until that succeeds: at once, then in another thread, as closing may have to wait. */
    public static void close(BooleanSupplier tryClose) {
        if (!isClosed(tryClose)) {
            later(tryClose);
        }
    }

    /** As {@link #close}, but the first try is in that thread, too. */
    static void later(BooleanSupplier tryClose) {
        try {
            again(tryClose, FIRST_PAUSE, MOST_TRIES);
        } catch (RuntimeException | Error noThread) {
            // it is left to the domain
        }
    }

    /** False also if closing is refused, as while threads stay inside, or the domain is being closed. */
    private static boolean isClosed(BooleanSupplier tryClose) {
        try {
            return tryClose.getAsBoolean();
        } catch (IllegalStateException | FabricException refused) {
            return false;
        }
    }

    private static void again(BooleanSupplier tryClose, long pause, int tries) {
        Aside.later(pause, () -> {
            if (!isClosed(tryClose) && tries > 1) {
                again(tryClose, Math.min(2 * pause, LONGEST_PAUSE), tries - 1);
            }
        });
    }
}
