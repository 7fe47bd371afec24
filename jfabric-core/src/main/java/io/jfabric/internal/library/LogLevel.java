// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.internal.ffi.LibC;
import java.util.List;
import java.util.Locale;

/** How much libfabric logs. Since 2.0 it looks for the level beyond the end of its table if it does not know it. */
public final class LogLevel {
    private static final String NAME = "FI_LOG_LEVEL";
    private static final List<String> KNOWN = List.of("warn", "trace", "info", "debug");
    private static final int CRASHES_SINCE = NativeLibrary.code(2, 0);

    private LogLevel() {
    }

    /** Call before the library starts, which then reads it. */
    public static void check() {
        String level = LibC.getenv(NAME);
        if (level != null && !KNOWN.contains(level.toLowerCase(Locale.ROOT)) && NativeLibrary.knows(CRASHES_SINCE)) {
            throw new IllegalStateException(NAME + "=\"" + level + "\" in the environment: this release of libfabric "
                    + "crashes unless it is one of " + String.join(", ", KNOWN) + ", or not set");
        }
    }
}
