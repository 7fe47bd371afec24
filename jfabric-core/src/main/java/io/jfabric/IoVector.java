// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Several buffers that one operation sends or fills in order ({@code struct iovec}).
 *
 * <p>Immutable and thread-safe; made once and used for any number of operations, none of which allocates.
 */
public final class IoVector {
    private static final int IOVEC_BYTES = 16;

    private final List<MemorySegment> segments;
    private final MemorySegment iov;
    private final long byteSize;

    private IoVector(List<MemorySegment> segments) {
        this.segments = segments;
        this.iov = Arena.ofAuto().allocate(Math.max(1, segments.size()) * (long) IOVEC_BYTES, 8);
        long total = 0;
        for (int i = 0; i < segments.size(); i++) {
            MemorySegment segment = segments.get(i);
            iov.set(ValueLayout.JAVA_LONG, (long) i * IOVEC_BYTES, Buffers.address("IoVector.of", segment));
            iov.set(ValueLayout.JAVA_LONG, (long) i * IOVEC_BYTES + 8, segment.byteSize());
            total += segment.byteSize();
        }
        this.byteSize = total;
    }

    /**
     * Makes a vector of buffers.
     *
     * @param segments native memory; stays reachable as long as the vector
     * @return the vector
     */
    public static IoVector of(MemorySegment... segments) {
        return new IoVector(List.of(segments));
    }

    /**
     * The buffers.
     *
     * @return in order
     */
    public List<MemorySegment> segments() {
        return segments;
    }

    /**
     * The number of buffers.
     *
     * @return 0 or more
     */
    public int count() {
        return segments.size();
    }

    /**
     * All buffers together.
     *
     * @return in bytes
     */
    public long byteSize() {
        return byteSize;
    }

    /**
     * Address of the {@code struct iovec} array, once all buffers are known to be usable.
     *
     * @param operation what needs it, for the message
     * @return the address
     */
    public long address(String operation) {
        for (int i = 0; i < segments.size(); i++) {
            Buffers.address(operation, segments.get(i));
        }
        return iov.address();
    }

    /**
     * As {@link #address}, for buffers that the provider writes to.
     *
     * @param operation what needs it, for the message
     * @return the address
     */
    public long writable(String operation) {
        for (int i = 0; i < segments.size(); i++) {
            Buffers.writable(operation, segments.get(i));
        }
        return iov.address();
    }
}
