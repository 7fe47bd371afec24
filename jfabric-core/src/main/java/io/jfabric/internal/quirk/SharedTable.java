// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.bindings.fi_av_attr;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.option.AddressVectorAttributes;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * The table of an address vector that sockets shares between processes, {@code struct sock_av_table_hdr}: the number of
 * places, the number used, a number for each place, and the places.
 */
public final class SharedTable {
    private static final int HEADER = 2 * Long.BYTES;
    /** {@code struct sock_av_addr}. */
    private static final int PLACE = 56;
    private static final int VALID = 48;

    /** The number of places when the table was opened and mapped. */
    private final long count;
    private final long first;
    private final long used;
    private final boolean inserts;

    private SharedTable(long map, boolean inserts) {
        this.count = Memory.getLong(map - HEADER);
        this.first = map + count * Long.BYTES;
        this.used = map - HEADER + Long.BYTES;
        this.inserts = inserts;
    }

    /** The table of a vector that was opened with the attributes, and this answer to them; null if it has none. */
    public static SharedTable of(Quirks quirks, AddressVectorAttributes attributes, MemorySegment attr) {
        long map = fi_av_attr.map_addr(attr).address();
        return attributes.name().isPresent() && map != 0 && quirks.has(Quirk.SHARED_VECTOR_UNCHECKED)
                ? new SharedTable(map, !attributes.readOnly() && quirks.has(Quirk.SHARED_VECTOR_MOVES)) : null;
    }

    /** Makes an insertion refuse addresses that the table has no room for; only while the vector is open. */
    public LongFunction<Integer> ifRoom(long addresses, LongFunction<Integer> insertion) {
        return av -> inserts && free() < addresses ? Integer.valueOf(-Errno.ENOSPC) : insertion.apply(av);
    }

    /** Whether an address is there, and was not removed; only while the vector is open. */
    public boolean has(long index) {
        return index >= 0 && index < count && Memory.getByte(first + index * PLACE + VALID) != 0;
    }

    private long free() {
        long taken = Math.min(Memory.getLong(used), count);
        long free = count - taken;
        for (long i = 0; i < taken; i++) {
            if (!has(i)) {
                // its address was removed
                free++;
            }
        }
        return free;
    }
}
