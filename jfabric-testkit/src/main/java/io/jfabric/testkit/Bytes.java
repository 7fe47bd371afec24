// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory whose contents can be told from any other. */
public final class Bytes {
    private Bytes() {
    }

    /** A new segment; no byte of it is 0, and equal bytes are rarely at equal places under another seed. */
    public static MemorySegment pattern(Arena arena, long size, int seed) {
        MemorySegment segment = arena.allocate(size, 8);
        fill(segment, seed);
        return segment;
    }

    /** Writes to a segment what {@link #pattern} has. */
    public static void fill(MemorySegment segment, int seed) {
        for (long i = 0; i < segment.byteSize(); i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) (1 + (i * 7 + seed * 31L + (i >>> 8)) % 255));
        }
    }
}
