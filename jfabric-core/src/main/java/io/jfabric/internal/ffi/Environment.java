// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * What C code sees as the environment; the JVM has its own copy. {@code setenv(3)} may free the table that another
 * thread's {@code getenv} is reading, so here another table takes its place, and nothing is freed: it is for a few
 * variables, set once. Any thread.
 */
public final class Environment {
    /** The address of {@code environ}; 0 where the C library has none. */
    private static final long TABLE = DynamicLoader.symbol(DynamicLoader.PROCESS, "environ");

    private Environment() {
    }

    /** Sets a variable, or removes it if the value is null. */
    public static synchronized void set(String name, String value) {
        if (TABLE != 0) {
            replaceTable(name, value);
        }
        String now = LibC.getenv(name);
        if (value == null ? now != null : !value.equals(now)) {
            // a table that is another's copy
            LibC.setenv(name, value);
        }
    }

    private static void replaceTable(String name, String value) {
        List<Long> entries = new ArrayList<>();
        long old = Memory.getLong(TABLE);
        for (long at = old; at != 0 && Memory.getLong(at) != 0; at += Long.BYTES) {
            long entry = Memory.getLong(at);
            if (!Memory.string(entry).startsWith(name + '=')) {
                entries.add(entry);
            }
        }
        if (value != null) {
            entries.add(LibC.strdup(name + '=' + value));
        }
        long table = LibC.calloc((entries.size() + 1L) * Long.BYTES);
        if (table == 0) {
            throw new OutOfMemoryError("setting the environment variable " + name);
        }
        for (int i = 0; i < entries.size(); i++) {
            Memory.putLong(table + (long) i * Long.BYTES, entries.get(i));
        }
        VarHandle.releaseFence();
        Memory.putLong(TABLE, table);
    }
}
