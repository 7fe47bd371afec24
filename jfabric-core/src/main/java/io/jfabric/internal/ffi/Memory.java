// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes memory that libfabric owns, by address.
 *
 * <p>The only class that looks at addresses it was not given a segment for. Callers guarantee that the address is a
 * live object of libfabric's, aligned as C aligns it; nothing here can check that. So the layouts are the unaligned
 * ones, which spare a check on each access of the data path.
 */
public final class Memory {
    private static final MemorySegment ALL = everything();
    /** Kept, as the data path reads by it: C2's budget for inlining is spent on the way to a layout's handle, too. */
    private static final VarHandle LONG = JAVA_LONG_UNALIGNED.varHandle();

    private Memory() {
    }

    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** All memory there is. */
    public static MemorySegment all() {
        return ALL;
    }

    public static long getLong(long address) {
        return (long) LONG.get(ALL, address);
    }

    public static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    public static int getInt(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    public static void putLong(long address, long value) {
        ALL.set(JAVA_LONG_UNALIGNED, address, value);
    }

    public static void putInt(long address, int value) {
        ALL.set(JAVA_INT_UNALIGNED, address, value);
    }

    /** A view of {@code size} bytes at {@code address}. */
    public static MemorySegment segment(long address, long size) {
        return ALL.asSlice(address, size);
    }

    /** A view of {@code size} bytes at {@code address} that lives as long as an arena. */
    public static MemorySegment segment(long address, long size, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(size, arena, null);
    }

    /** Copies {@code size} bytes at {@code address} into a new array. */
    public static byte[] bytes(long address, long size) {
        return segment(address, size).toArray(JAVA_BYTE);
    }

    /** The NUL-terminated string at {@code address}; null for a null pointer. */
    public static String string(long address) {
        return address == 0 ? null : ALL.getString(address, StandardCharsets.UTF_8);
    }
}
