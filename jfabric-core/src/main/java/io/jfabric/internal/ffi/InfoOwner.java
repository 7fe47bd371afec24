// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

/** A list of {@code fi_info} that is freed as a whole. */
public final class InfoOwner {
    private final String what;
    private final long head;
    private volatile boolean freed;

    /** Takes over the list that starts at {@code head}. */
    public InfoOwner(String what, long head) {
        this.what = what;
        this.head = head;
    }

    /** The first entry. */
    public InfoMemory first() {
        return new InfoMemory(this, head);
    }

    void check() {
        if (freed) {
            throw new IllegalStateException(what + " is closed; use it inside its try block, or keep a duplicate()");
        }
    }

    public boolean isFreed() {
        return freed;
    }

    /** {@code fi_freeinfo}, once. */
    public synchronized void free() {
        if (!freed) {
            freed = true;
            Exports.freeinfo(head);
        }
    }
}
