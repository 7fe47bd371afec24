// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Finds a function in an ops table. C's inlines dereference these tables blindly; whole tables are NULL in practice
 * (an endpoint's {@code collective}, {@code atomic}, {@code rma}), and older libraries have shorter ones.
 */
final class OpsTable {
    private OpsTable() {
    }

    /**
     * The function at {@code slot} of the table that {@code fid} points to at {@code table}; {@link Downcall#NONE}
     * when there is none. A caller that keeps it asks again when something was bound, enabled or set: providers replace
     * tables then. A function that is called all the time has to be kept: whether a segment for one call is allocated
     * is up to the compiler.
     */
    static MemorySegment find(long fid, long table, long slot) {
        long ops = Memory.getLong(fid + table);
        // every table starts with its size
        return ops != 0 && Memory.getLong(ops) > slot ? Downcall.function(Memory.getLong(ops + slot)) : Downcall.NONE;
    }

    /** As {@link #find}, for a table that never grew and whose size providers forget to set. */
    static MemorySegment findInFixedTable(long fid, long table, long slot) {
        long ops = Memory.getLong(fid + table);
        return ops == 0 ? Downcall.NONE : Downcall.function(Memory.getLong(ops + slot));
    }
}
