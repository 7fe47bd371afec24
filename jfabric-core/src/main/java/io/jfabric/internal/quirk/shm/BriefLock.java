// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The lock of a region in 2.6, under which a buffer is taken from a list or given back: some instructions, in which a
 * process that dies loses that buffer, or at worst the list. It is freed once it was held whenever looked at for a
 * second and {@link LockHolders} are gone. The thread's alone that watches regions.
 */
final class BriefLock {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** Mapped. */
    private final MemorySegment region;
    private final long offset;
    private final LockHolders holders = new LockHolders();
    /** When it was first seen held, and how often since; 0 if it is not. */
    private long since;
    private int looks;
    private int lowest;

    BriefLock(MemorySegment region, long offset) {
        this.region = region;
        this.offset = offset;
    }

    boolean isHeld() {
        return SharedRegion.isHeld(word());
    }

    private int word() {
        return (int) INT.getVolatile(region, offset);
    }

    /** Frees it if a dead process holds it. */
    boolean free() throws IOException {
        int word = word();
        if (!SharedRegion.isHeld(word)) {
            since = 0;
            return false;
        }
        long now = System.nanoTime();
        // the word only falls as more come to wait: else somebody else has freed it meanwhile
        if (since == 0 || word > lowest) {
            since = now;
            looks = 0;
            holders.reset();
        }
        looks++;
        lowest = word;
        if (now - since > LockRescue.PATIENCE && looks > LockRescue.LOOKS && holders.areGone(region.address())
                && INT.compareAndSet(region, offset, word, SharedRegion.FREE)) {
            since = 0;
            return true;
        }
        return false;
    }
}
