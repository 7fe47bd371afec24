// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.bindings.fi_info;
import io.jfabric.internal.ffi.Memory;
import java.util.function.LongFunction;

/**
 * One {@code fi_info} and whether it may still be read. Always made by libfabric: the loaded release may have larger
 * structs than the headers.
 */
public final class InfoMemory {
    private final InfoOwner owner;
    private final long address;

    InfoMemory(InfoOwner owner, long address) {
        this.owner = owner;
        this.address = address;
    }

    /** Looks at the {@code fi_info}; throws {@link IllegalStateException} once it is freed. */
    public <T> T with(LongFunction<T> use) {
        return owner.with(address, use);
    }

    /** As {@link #with}; throws {@link UnsupportedOperationException} if it is {@linkplain InfoOwner#freeze frozen}. */
    public <T> T change(LongFunction<T> use) {
        return owner.change(address, use);
    }

    /**
     * The {@code fi_info}, for those who own it and keep it reachable; throws {@link IllegalStateException} once it is
     * freed.
     */
    public long address() {
        owner.check();
        return address;
    }

    public InfoOwner owner() {
        return owner;
    }

    /** The next entry of the list; null at its end. */
    public InfoMemory next() {
        long next = with(info -> Memory.getLong(info + fi_info.next$offset()));
        return next == 0 ? null : new InfoMemory(owner, next);
    }
}
