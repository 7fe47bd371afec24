// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/**
 * Structs that jfabric makes and libfabric reads or fills: zeroed, and with room behind. Newer releases have longer
 * ones and copy them whole ({@code fi_cq_attr} grew from 40 to 48 bytes); what they find behind today's end must be 0.
 */
public final class Structs {
    private static final long ROOM = 256;

    private Structs() {
    }

    /** A zeroed struct; its segment has the size of the layout, the memory behind it is {@value #ROOM} bytes longer. */
    public static MemorySegment allocate(Arena arena, MemoryLayout layout) {
        return arena.allocate(layout.byteSize() + ROOM, Math.max(8, layout.byteAlignment()))
                .asSlice(0, layout.byteSize());
    }
}
