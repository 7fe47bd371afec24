// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.io.IOException;

/**
 * Whether those that may have a region's lock are all gone. That needs nothing of the one that died with it, whose own
 * file may be removed by now, as whoever takes its name does it; but it takes a while. To be asked only while the lock
 * stays held.
 */
final class LockHolders {
    /** One look may see a thread wait for another that is seen only after it has gone on. */
    private static final int LOOKS = 2;

    private Bystanders bystanders;
    private int clear;

    /** The lock was free meanwhile. */
    void reset() {
        bystanders = null;
    }

    /**
     * Whether no thread that had the region mapped at the first question after {@link #reset} is where it was then.
     * Who holds such a lock waits for nothing else.
     *
     * @param address where this process has the region mapped
     */
    boolean areGone(long address) throws IOException {
        if (bystanders == null) {
            bystanders = Bystanders.of(address, Bystanders.Lock.NONE);
            clear = 0;
            return false;
        }
        clear = bystanders.areElsewhere() ? clear + 1 : 0;
        return clear >= LOOKS && RegionOwners.unseen().isEmpty();
    }
}
