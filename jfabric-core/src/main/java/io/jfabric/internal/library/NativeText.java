// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.bindings.Libfabric;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code fi_tostr_r}: libfabric's own text for its structs and constants. */
public final class NativeText {
    /** The longest text seen is 4 KB; libfabric itself uses a buffer of 8 KiB. */
    private static final long LONGEST = 16 * 1024;

    private NativeText() {
    }

    /** The text for the object at {@code data}, whose kind is an {@code enum fi_type}. */
    public static String of(long data, int type) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(LONGEST);
            Exports.tostr(buffer.address(), LONGEST, data, type);
            return buffer.getString(0);
        }
    }

    /** The release of the library in full. */
    public static String version() {
        try (Arena arena = Arena.ofConfined()) {
            // what it points at is not read, but a null pointer gives no text
            return of(arena.allocate(Long.BYTES).address(), Libfabric.FI_TYPE_VERSION());
        }
    }
}
