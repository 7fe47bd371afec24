// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import io.jfabric.internal.context.Kept;
import io.jfabric.internal.context.KeptMemory;

/**
 * What is under way in a group, and the memory that C uses until its end. Entries are reused, so that an operation
 * allocates nothing. They refer to no opened object and no thread, as the provider may keep them for longer.
 */
final class GroupUse {
    private Entry free;
    private int underWay;

    /** One operation, or one join of a smaller group, with the memory that it uses. */
    static final class Entry implements Kept {
        private final GroupUse group;
        private final Object[] kept = new Object[2];
        private Entry next;
        private boolean busy;

        private Entry(GroupUse group) {
            this.group = group;
        }

        @Override
        public Object buffers() {
            return kept;
        }

        @Override
        public void release() {
            group.end(this);
        }
    }

    /** Something begins, with memory or without; the entry must be released at its end. */
    synchronized Entry begin(Object first, Object second) {
        Entry entry = free;
        if (entry == null) {
            entry = new Entry(this);
        } else {
            free = entry.next;
        }
        entry.kept[0] = KeptMemory.withoutThreads(first);
        entry.kept[1] = KeptMemory.withoutThreads(second);
        entry.busy = true;
        underWay++;
        return entry;
    }

    private void end(Entry entry) {
        Object first;
        synchronized (this) {
            if (!entry.busy) {
                return;
            }
            first = entry.kept[0];
            entry.kept[0] = null;
            entry.kept[1] = null;
            entry.busy = false;
            entry.next = free;
            free = entry;
            underWay--;
        }
        Kept.release(first);
    }

    /** How many operations and joins have not ended. */
    synchronized int underWay() {
        return underWay;
    }
}
