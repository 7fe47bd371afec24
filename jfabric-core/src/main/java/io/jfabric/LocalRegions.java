// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** The memory regions the user registered in a domain, by address: their descriptors serve local operations. */
final class LocalRegions {
    static final long NONE = Long.MIN_VALUE;

    private record Range(long end, long descriptor) {
    }

    private final ConcurrentSkipListMap<Long, Range> ranges = new ConcurrentSkipListMap<>();

    void add(long address, long length, long descriptor) {
        ranges.put(address, new Range(address + length, descriptor));
    }

    void remove(long address, long descriptor) {
        Range range = ranges.get(address);
        if (range != null && range.descriptor == descriptor) {
            ranges.remove(address, range);
        }
    }

    /** The descriptor of a region that covers the buffer; {@link #NONE} if there is none. */
    long descriptor(long address, long length) {
        Map.Entry<Long, Range> below = ranges.floorEntry(address);
        return below != null && address + length <= below.getValue().end ? below.getValue().descriptor : NONE;
    }
}
