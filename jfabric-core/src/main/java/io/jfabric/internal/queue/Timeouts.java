// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.internal.ffi.Arguments;
import java.time.Duration;

/** Turns a {@link Duration} into the milliseconds C takes. */
public final class Timeouts {
    private Timeouts() {
    }

    /** Rounded up, so that a short wait is not a busy loop; at most {@code Integer.MAX_VALUE} (24 days). */
    public static int millis(Duration timeout) {
        Arguments.notNegative(timeout, "wait", "the timeout");
        long millis = timeout.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) >= 0
                ? Integer.MAX_VALUE
                : timeout.plusNanos(999_999).toMillis();
        return (int) millis;
    }
}
