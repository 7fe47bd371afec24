// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The lock of an address vector, {@code struct util_av}, which the provider takes for a second time when a peer comes
 * back with a name that it knows.
 */
public final class VectorLock {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int DOMAIN = 32;
    /** After the count of references; the lock begins with its type, 0 for a mutex. */
    private static final int COUNT = 40;
    private static final int MUTEX = 56;
    private static final int END = 96;
    /** In glibc's mutex. */
    private static final int KIND = 16;
    private static final int RECURSIVE = 1;

    private VectorLock() {
    }

    /**
     * Before anything uses a new vector: lets the thread that has the lock take it again, where the provider does that
     * and all is as it must be: a vector of that domain, with a mutex as glibc initialises it.
     */
    public static void prepare(Quirks quirks, long vector, long domain) {
        if (!quirks.has(Quirk.RETURNING_NAMES_LOCK)) {
            return;
        }
        MemorySegment memory = Memory.segment(vector, END);
        boolean isFresh = LibC.isGlibc() && memory.get(LONG, DOMAIN) == domain;
        for (int i = COUNT; isFresh && i < END; i += Long.BYTES) {
            isFresh = memory.get(LONG, i) == 0;
        }
        if (isFresh) {
            memory.set(ValueLayout.JAVA_INT, MUTEX + KIND, RECURSIVE);
        }
    }
}
