// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.internal.ffi.Cleaners;
import java.lang.ref.Cleaner;
import java.util.function.LongFunction;

/**
 * A list of {@code fi_info} that is freed as a whole: by {@link #free()}, or when nobody refers to it any more. Whoever
 * looks at it, or changes it, does so under the monitor of its owner: so nobody sees it freed.
 */
public final class InfoOwner {
    private final String what;
    private final long head;
    private boolean freed;
    /** What something open is called that was opened with it; null if nothing was. */
    private String keeper;
    private final Cleaner.Cleanable cleanable;

    /** Takes over the list that starts at {@code head}. */
    public InfoOwner(String what, long head) {
        this.what = what;
        this.head = head;
        this.cleanable = Cleaners.SHARED.register(this, () -> Exports.freeinfo(head));
    }

    /** The first entry. */
    public InfoMemory first() {
        return new InfoMemory(this, head);
    }

    synchronized <T> T with(long address, LongFunction<T> use) {
        check();
        return use.apply(address);
    }

    synchronized <T> T change(long address, LongFunction<T> use) {
        check();
        if (keeper != null) {
            throw new UnsupportedOperationException("what something open was opened with cannot be changed: the "
                    + "provider goes by it; change a duplicate()");
        }
        return use.apply(address);
    }

    /** From now on nobody may change it: it is what something open was opened with, which is called so. */
    public synchronized void freeze(String whose) {
        keeper = whose;
    }

    synchronized void check() {
        if (freed) {
            throw new IllegalStateException(keeper != null ? "the " + keeper + " is closed; of its info keep a "
                    + "duplicate()" : what + " is closed; use it inside its try block, or keep a duplicate()");
        }
    }

    public synchronized boolean isFreed() {
        return freed;
    }

    /** {@code fi_freeinfo}, once. */
    public synchronized void free() {
        freed = true;
        cleanable.clean();
    }
}
