// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;

/** A buffer of elements in as many parts as there are members, as equal in size as possible; some may be empty. */
record Parts(MemorySegment buffer, int number, long elementSize) {
    MemorySegment part(int index) {
        return range(index, index + 1);
    }

    /** Adjacent parts. */
    MemorySegment range(int first, int end) {
        long from = begin(first);
        return buffer.asSlice(from, begin(end) - from);
    }

    /** Where a part begins. */
    long begin(int index) {
        long elements = buffer.byteSize() / elementSize;
        return (elements / number * index + Math.min(index, elements % number)) * elementSize;
    }

    /** The size of the largest part. */
    long largest() {
        return begin(1);
    }

    /** The same parts of another buffer. */
    Parts of(MemorySegment other) {
        return new Parts(other, number, elementSize);
    }
}
