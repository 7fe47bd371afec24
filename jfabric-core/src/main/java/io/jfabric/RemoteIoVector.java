// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.util.Arrays;

/**
 * Several ranges of a peer's memory that one operation reads or writes in order ({@code struct fi_rma_iov}).
 *
 * <p>Immutable and thread-safe; made once and used for any number of operations, none of which allocates. How many
 * ranges an operation takes is {@code tx().rmaIovLimit()}.
 */
public final class RemoteIoVector {
    private final RemoteRegion[] regions;
    private final long[] offsets;
    private final long[] lengths;
    private final long byteSize;

    private RemoteIoVector(RemoteRegion[] regions, long[] offsets, long[] lengths) {
        this.regions = regions;
        this.offsets = offsets;
        this.lengths = lengths;
        this.byteSize = Arrays.stream(lengths).sum();
    }

    /**
     * A vector of whole regions.
     *
     * @param regions the regions
     * @return the vector
     */
    public static RemoteIoVector of(RemoteRegion... regions) {
        RemoteIoVector vector = new RemoteIoVector(new RemoteRegion[0], new long[0], new long[0]);
        for (RemoteRegion region : regions) {
            vector = vector.and(region, 0, region.byteSize());
        }
        return vector;
    }

    /**
     * A vector of one range.
     *
     * @param region the peer's memory
     * @param offset where the range starts, in bytes
     * @param length how long it is, in bytes
     * @return the vector
     */
    public static RemoteIoVector of(RemoteRegion region, long offset, long length) {
        return of().and(region, offset, length);
    }

    /**
     * Adds a range at the end.
     *
     * @param region the peer's memory
     * @param offset where the range starts, in bytes
     * @param length how long it is, in bytes
     * @return a new vector
     */
    public RemoteIoVector and(RemoteRegion region, long offset, long length) {
        region.slice(offset, length);
        int n = regions.length;
        RemoteRegion[] newRegions = Arrays.copyOf(regions, n + 1);
        long[] newOffsets = Arrays.copyOf(offsets, n + 1);
        long[] newLengths = Arrays.copyOf(lengths, n + 1);
        newRegions[n] = region;
        newOffsets[n] = offset;
        newLengths[n] = length;
        return new RemoteIoVector(newRegions, newOffsets, newLengths);
    }

    /**
     * The number of ranges.
     *
     * @return 0 or more
     */
    public int count() {
        return regions.length;
    }

    /**
     * All ranges together.
     *
     * @return in bytes
     */
    public long byteSize() {
        return byteSize;
    }

    /**
     * The region of a range.
     *
     * @param index which range
     * @return the region
     */
    public RemoteRegion region(int index) {
        return regions[index];
    }

    /**
     * Where a range begins.
     *
     * @param index which range
     * @return in bytes, from the beginning of its region
     */
    public long offset(int index) {
        return offsets[index];
    }

    /**
     * How long a range is.
     *
     * @param index which range
     * @return in bytes
     */
    public long length(int index) {
        return lengths[index];
    }
}
