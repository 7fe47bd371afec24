// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.RemoteRegion;
import io.jfabric.bindings.fi_rma_iov;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** An array of remote ranges as C takes it, {@code struct fi_rma_iov} or {@code struct fi_rma_ioc}. */
final class RangeTable {
    private static final long ENTRY_BYTES = fi_rma_iov.sizeof();
    private static final int FIRST_SIZE = 2;

    private MemorySegment entries = Arena.ofAuto().allocate(FIRST_SIZE * ENTRY_BYTES, 8);
    private RemoteRegion[] regions = new RemoteRegion[FIRST_SIZE];
    private int count;
    private long byteSize;
    /** Whether a key has to be looked up for each use: the user may unmap and map it. */
    private boolean mapped;

    void clear() {
        count = 0;
        byteSize = 0;
        mapped = false;
    }

    /** Adds a range, which has been checked; C is told the length in elements of {@code 1 << shift} bytes. */
    void add(String operation, RemoteRegion region, long address, long length, int shift, long key) {
        long sum = Sizes.sum(operation, "ranges", byteSize, length);
        if (count == regions.length) {
            entries = Arena.ofAuto().allocate(2 * entries.byteSize(), 8).copyFrom(entries);
            regions = Arrays.copyOf(regions, 2 * count);
        }
        long at = count * ENTRY_BYTES;
        entries.set(JAVA_LONG, at, address);
        entries.set(JAVA_LONG, at + 8, length >>> shift);
        entries.set(JAVA_LONG, at + 16, key);
        regions[count++] = region;
        byteSize = sum;
        mapped |= region.rawKey().isPresent();
    }

    /** Call before each use. */
    void lookUpKeys(DomainState domain) {
        if (mapped) {
            for (int i = 0; i < count; i++) {
                entries.set(JAVA_LONG, i * ENTRY_BYTES + 16, domain.key(regions[i]));
            }
        }
    }

    int count() {
        return count;
    }

    long byteSize() {
        return byteSize;
    }

    /** That of the first range. */
    long address() {
        return entries.get(JAVA_LONG, 0);
    }

    /** That of the first range. */
    long key() {
        return entries.get(JAVA_LONG, 16);
    }

    MemorySegment entries() {
        return entries;
    }

    /** A copy that lives as long as the arena. */
    RangeTable copy(Arena arena) {
        RangeTable copy = new RangeTable();
        copy.entries = arena.allocate(entries.byteSize(), 8).copyFrom(entries);
        copy.count = count;
        return copy;
    }
}
