// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.internal.quirk.OverflowTail;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An array of local buffers as C takes it, {@code struct iovec} or {@code struct fi_ioc}, with the descriptors that the
 * provider wants. Can be refilled any number of times; grows to the longest ever needed.
 */
public final class BufferTable {
    private static final int ENTRY_BYTES = 16;
    private static final int FIRST_SIZE = 4;

    private MemorySegment entries = Arena.ofAuto().allocate(FIRST_SIZE * ENTRY_BYTES, 8);
    private MemorySegment descriptors = Arena.ofAuto().allocate(FIRST_SIZE * 8, 8);
    private int count;
    private boolean described;
    /** How many regions had gone when the descriptors were looked up. */
    private int removals;
    private boolean filled;

    public void clear() {
        count = 0;
        described = false;
    }

    /** Adds a buffer; its length is in bytes or elements, as C takes it. */
    public void add(long address, long length) {
        long at = (long) count * ENTRY_BYTES;
        if (at == entries.byteSize()) {
            entries = Arena.ofAuto().allocate(2 * entries.byteSize(), 8).copyFrom(entries);
            descriptors = Arena.ofAuto().allocate(2 * descriptors.byteSize(), 8).copyFrom(descriptors);
        }
        entries.set(JAVA_LONG, at, address);
        entries.set(JAVA_LONG, at + 8, length);
        descriptors.set(JAVA_LONG, count * 8L, 0);
        count++;
    }

    /**
     * Adds the buffers that are not empty, with lengths in elements of {@code 1 << shift} bytes: some providers take an
     * empty one for the end of a message. If all are empty, adds one entry without bytes: providers look at the first.
     */
    public void addFilled(MemorySegment[] buffers, int shift) {
        int before = count;
        for (MemorySegment buffer : buffers) {
            if (buffer.byteSize() > 0) {
                add(buffer.address(), buffer.byteSize() >>> shift);
            }
        }
        if (count == before) {
            add(0, 0);
        }
    }

    public int count() {
        return count;
    }

    public long address(int index) {
        return entries.get(JAVA_LONG, (long) index * ENTRY_BYTES);
    }

    public long length(int index) {
        return entries.get(JAVA_LONG, (long) index * ENTRY_BYTES + 8);
    }

    public long descriptor(int index) {
        return descriptors.get(JAVA_LONG, index * 8L);
    }

    /** Adds the tail that ends a receive; a receive of no bytes has it in place of its buffer. */
    public void add(OverflowTail tail) {
        if (tail.isForAll()) {
            add(tail.start(), tail.bytes());
        } else {
            set(0, tail.start(), tail.bytes(), tail.descriptor());
        }
    }

    /** Undoes {@link #add(OverflowTail)}. */
    public void remove(OverflowTail tail) {
        if (tail.isForAll()) {
            removeLast();
        } else {
            set(0, 0, 0, tail.descriptor());
        }
    }

    /** Removes the last entry. */
    public void removeLast() {
        count--;
    }

    /** Replaces the buffer of an entry. */
    void set(int index, long address, long length, long descriptor) {
        replace(index, address, descriptor);
        entries.set(JAVA_LONG, (long) index * ENTRY_BYTES + 8, length);
    }

    /** The same, but keeps the length. */
    void replace(int index, long address, long descriptor) {
        entries.set(JAVA_LONG, (long) index * ENTRY_BYTES, address);
        describe(index, descriptor);
    }

    void describe(int index, long descriptor) {
        descriptors.set(JAVA_LONG, index * 8L, descriptor);
        described |= descriptor != 0;
    }

    /**
     * The descriptors are looked up now, when so many regions have gone.
     *
     * @param isFilled whether the operation writes to the buffers
     */
    void describedAfter(int regionsGone, boolean isFilled) {
        removals = regionsGone;
        filled = isFilled;
    }

    int describedAfter() {
        return removals;
    }

    boolean isFilled() {
        return filled;
    }

    /** The array. */
    public MemorySegment entries() {
        return entries;
    }

    /** The array of descriptors; NULL if no buffer has one. */
    public MemorySegment descriptors() {
        return described ? descriptors : MemorySegment.NULL;
    }

    /** A copy that lives as long as the arena. */
    public BufferTable copy(Arena arena) {
        BufferTable copy = new BufferTable();
        copy.entries = arena.allocate(entries.byteSize(), 8).copyFrom(entries);
        copy.descriptors = arena.allocate(descriptors.byteSize(), 8).copyFrom(descriptors);
        copy.count = count;
        copy.described = described;
        return copy;
    }
}
