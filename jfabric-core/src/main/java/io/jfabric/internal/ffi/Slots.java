// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

/**
 * Finds a function in an ops table. C's inlines dereference these tables blindly; whole tables are NULL in practice
 * (an endpoint's {@code collective}, {@code atomic}, {@code rma}), and older libraries have shorter ones.
 */
final class Slots {
    private Slots() {
    }

    /**
     * The function pointer at {@code slot} of the table that {@code fid} points to at {@code table}; 0 when there is
     * none. Read on every call: providers replace tables when something is bound, enabled or set.
     */
    static long find(long fid, long table, long slot) {
        long ops = Memory.getLong(fid + table);
        // every table starts with its size
        return ops != 0 && Memory.getLong(ops) > slot ? Memory.getLong(ops + slot) : 0;
    }

    /** As {@link #find}, for a table that never grew and whose size providers forget to set. */
    static long findInFixedTable(long fid, long table, long slot) {
        long ops = Memory.getLong(fid + table);
        return ops == 0 ? 0 : Memory.getLong(ops + slot);
    }
}
