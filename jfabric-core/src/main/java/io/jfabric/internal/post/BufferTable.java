// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.IoVector;
import io.jfabric.internal.endpoint.RemoteCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An array of local buffers as C takes it, {@code struct iovec} or {@code struct fi_ioc}, with the descriptors the
 * provider wants. Filled anew for each operation; grows to the longest ever needed.
 */
public final class BufferTable {
    private static final int ENTRY_BYTES = 16;
    private static final int FIRST_SIZE = 8;

    private MemorySegment entries = Arena.ofAuto().allocate(FIRST_SIZE * ENTRY_BYTES, 8);
    private MemorySegment descriptors = Arena.ofAuto().allocate(FIRST_SIZE * 8, 8);
    private int count;
    private boolean described;
    private long byteSize;

    public void clear() {
        count = 0;
        described = false;
        byteSize = 0;
    }

    /** Adds a part of a buffer, of which C is told the length in elements of {@code 1 << shift} bytes. */
    public void add(RemoteCall call, MemorySegment buffer, long offset, long length, int shift) {
        put(call, buffer, buffer.address() + offset, length, shift);
    }

    /** Adds all buffers of a vector. */
    public void add(RemoteCall call, IoVector vector, int shift) {
        for (int i = 0; i < vector.count(); i++) {
            MemorySegment segment = vector.segments().get(i);
            put(call, segment, segment.address(), segment.byteSize(), shift);
        }
    }

    private void put(RemoteCall call, MemorySegment buffer, long address, long length, int shift) {
        long at = (long) count * ENTRY_BYTES;
        if (at == entries.byteSize()) {
            entries = Arena.ofAuto().allocate(2 * entries.byteSize(), 8).copyFrom(entries);
            descriptors = Arena.ofAuto().allocate(2 * descriptors.byteSize(), 8).copyFrom(descriptors);
        }
        long descriptor = call.describe(buffer, address, length);
        entries.set(JAVA_LONG, at, address);
        entries.set(JAVA_LONG, at + 8, length >>> shift);
        descriptors.set(JAVA_LONG, count * 8L, descriptor);
        described |= descriptor != 0;
        byteSize += length;
        count++;
    }

    public int count() {
        return count;
    }

    public long byteSize() {
        return byteSize;
    }

    /** Address of the array. */
    public MemorySegment entries() {
        return entries;
    }

    /** The array of descriptors; NULL where no buffer has one. */
    public MemorySegment descriptors() {
        return described ? descriptors : MemorySegment.NULL;
    }
}
