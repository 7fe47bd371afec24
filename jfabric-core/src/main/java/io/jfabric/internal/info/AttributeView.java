// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.internal.ffi.Amount;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.CText;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.InfoMemory;
import io.jfabric.internal.library.NativeText;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/** Field access to one of the structs that hang off an {@code fi_info}. */
public abstract sealed class AttributeView
        permits SideAttributes, EndpointAttributesImpl, DomainAttributesImpl, DomainLimitsImpl, FabricAttributesImpl {
    private final InfoMemory memory;
    private final long pointerOffset;
    private final String struct;

    public AttributeView(InfoMemory memory, long pointerOffset, String struct) {
        this.memory = memory;
        this.pointerOffset = pointerOffset;
        this.struct = struct;
    }

    /** Looks at the struct while nobody frees it. */
    private <T> T with(LongFunction<T> use) {
        return memory.with(info -> use.apply(in(info)));
    }

    /** Changes the struct while nobody frees it. */
    private void change(LongConsumer use) {
        memory.change(info -> {
            use.accept(in(info));
            return null;
        });
    }

    private long in(long info) {
        long address = Memory.getLong(info + pointerOffset);
        if (address == 0) {
            throw new IllegalStateException("this fi_info has no " + struct);
        }
        return address;
    }

    public final long getLong(long offset) {
        return with(attr -> Memory.getLong(attr + offset));
    }

    public final long getAmount(long offset) {
        return Amount.of(getLong(offset));
    }

    public final int getInt(long offset) {
        return with(attr -> Memory.getInt(attr + offset));
    }

    public final void putLong(long offset, long value) {
        change(attr -> Memory.putLong(attr + offset, value));
    }

    /** For sizes and counts: a negative number would be C's largest, which says that there is no limit. */
    final void putAmount(long offset, String field, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("set " + struct + "." + field + ": " + value + " is negative; take 0 to "
                    + "demand nothing, or as many as you need");
        }
        putLong(offset, value);
    }

    public final void putInt(long offset, int value) {
        change(attr -> Memory.putInt(attr + offset, value));
    }

    public final String getString(long offset) {
        return with(attr -> Memory.string(Memory.getLong(attr + offset)));
    }

    // fi_freeinfo frees what hangs off an fi_info with free(3), so it must come from the C heap.
    public final void putString(long offset, String value) {
        change(attr -> {
            // first, as it may throw
            long copy = LibC.strdup(CText.checked(struct, value));
            LibC.free(Memory.getLong(attr + offset));
            Memory.putLong(attr + offset, copy);
        });
    }

    /** The bytes that a field points to, as many as another field says. */
    public final byte[] getBytes(long offset, long sizeOffset) {
        return with(attr -> {
            long bytes = Memory.getLong(attr + offset);
            long size = Memory.getLong(attr + sizeOffset);
            return bytes == 0 || size < 0 ? new byte[0] : Memory.bytes(bytes, size);
        });
    }

    public final void putBytes(long offset, long sizeOffset, byte[] value) {
        Arguments.given(value, struct, "the array of bytes");
        change(attr -> {
            // first, as it may throw
            long copy = LibC.copy(value);
            LibC.free(Memory.getLong(attr + offset));
            Memory.putLong(attr + offset, copy);
            Memory.putLong(attr + sizeOffset, value.length);
        });
    }

    public final String text(int type) {
        return with(attr -> NativeText.of(attr, type));
    }
}
