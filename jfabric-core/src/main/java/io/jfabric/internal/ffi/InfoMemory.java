// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import io.jfabric.bindings.fi_info;

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

    /** The {@code fi_info}; throws {@link IllegalStateException} once it is freed. */
    public long address() {
        owner.check();
        return address;
    }

    public InfoOwner owner() {
        return owner;
    }

    /** The next entry of the list; null at its end. */
    public InfoMemory next() {
        long next = Memory.getLong(address() + fi_info.next$offset());
        return next == 0 ? null : new InfoMemory(owner, next);
    }
}
