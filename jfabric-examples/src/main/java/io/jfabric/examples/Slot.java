// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.zip.CRC32C;

/**
 * A slot of {@link KeyValueStore}'s table: version, checksum, key, length, value. The version is 0 as long as the slot
 * is empty, and odd while somebody writes. Who reads from afar may get bytes of before and after a write together;
 * the checksum, which covers the version too, shows that.
 */
final class Slot {
    /** In bytes. */
    static final long SIZE = 128;
    /** The longest value, in bytes. */
    static final int LONGEST = 96;

    private static final long VERSION = 0;
    private static final long CHECKSUM = 8;
    private static final long KEY = 16;
    private static final long LENGTH = 24;
    private static final long VALUE = 32;

    private Slot() {
    }

    /** What a slot holds. */
    record Entry(long version, long key, byte[] value) {
        boolean isEmpty() {
            return version == 0;
        }
    }

    /** Only one thread may write a slot at a time. */
    static void write(MemorySegment slot, long key, byte[] value) {
        long version = slot.get(ValueLayout.JAVA_LONG, VERSION);
        slot.set(ValueLayout.JAVA_LONG, VERSION, version + 1);
        VarHandle.fullFence();
        slot.set(ValueLayout.JAVA_LONG, KEY, key);
        slot.set(ValueLayout.JAVA_LONG, LENGTH, value.length);
        MemorySegment.copy(value, 0, slot, ValueLayout.JAVA_BYTE, VALUE, value.length);
        slot.set(ValueLayout.JAVA_LONG, CHECKSUM, checksum(slot, version + 2, value.length));
        VarHandle.fullFence();
        slot.set(ValueLayout.JAVA_LONG, VERSION, version + 2);
    }

    /**
     * Takes the entry out of a copy of a slot.
     *
     * @return null if somebody wrote it while it was copied
     */
    static Entry read(MemorySegment copy) {
        long version = copy.get(ValueLayout.JAVA_LONG, VERSION);
        if (version == 0) {
            return new Entry(0, 0, new byte[0]);
        }
        long length = copy.get(ValueLayout.JAVA_LONG, LENGTH);
        if (version % 2 != 0 || length < 0 || length > LONGEST
                || copy.get(ValueLayout.JAVA_LONG, CHECKSUM) != checksum(copy, version, length)) {
            return null;
        }
        return new Entry(version, copy.get(ValueLayout.JAVA_LONG, KEY),
                copy.asSlice(VALUE, length).toArray(ValueLayout.JAVA_BYTE));
    }

    private static long checksum(MemorySegment slot, long version, long length) {
        CRC32C sum = new CRC32C();
        sum.update(slot.asSlice(KEY, VALUE - KEY + length).asByteBuffer());
        return version << 32 | sum.getValue();
    }
}
