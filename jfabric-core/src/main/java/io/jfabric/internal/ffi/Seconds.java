// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations in messages, for people. */
public final class Seconds {
    private static final int NANO_DIGITS = 9;

    private Seconds() {
    }

    /** Such as "0.5 s". */
    public static String text(Duration duration) {
        return BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), NANO_DIGITS))
                .stripTrailingZeros().toPlainString() + " s";
    }
}
