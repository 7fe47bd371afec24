// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Texts for C, which end at the first null byte: one inside would silently cut off the rest. */
public final class CText {
    private CText() {
    }

    /** The text with its end, in the arena. */
    public static MemorySegment of(Arena arena, String operation, String text) {
        return arena.allocateFrom(checked(operation,
                Objects.requireNonNull(text, () -> operation + ": the name is null")));
    }

    /** Checks that C reads the whole text, and returns it; null stays null. */
    public static String checked(String operation, String text) {
        int end = text == null ? -1 : text.indexOf('\0');
        if (end >= 0) {
            throw new IllegalArgumentException(operation + ": a null byte at " + end + " ends \""
                    + text.substring(0, end) + "\" for C; leave it out");
        }
        return text;
    }
}
