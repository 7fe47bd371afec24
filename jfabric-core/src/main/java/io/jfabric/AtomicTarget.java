// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What a deferred or triggered atomic operation does, and where.
 *
 * @param destination the peer
 * @param region the peer's memory
 * @param offset where the first target is in it, in bytes
 * @param type of the elements
 * @param operation what to do with them
 */
public record AtomicTarget(long destination, RemoteRegion region, long offset, Datatype type, AtomicOp operation) {
    /** Checks that the loaded libfabric knows the constants. */
    public AtomicTarget {
        Objects.requireNonNull(region, "region");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(operation, "operation");
        if (type == Datatype.VOID) {
            throw new IllegalArgumentException("type: VOID has no elements to operate on");
        }
    }

    /**
     * How many elements a buffer holds.
     *
     * @param name what the buffer is, for the message
     * @param buffer the buffer
     * @return 1 or more
     * @throws IllegalArgumentException if it does not hold whole elements
     */
    public long count(String name, MemorySegment buffer) {
        if (buffer.byteSize() == 0 || buffer.byteSize() % type.byteSize() != 0) {
            throw new IllegalArgumentException(name + ": a buffer of " + buffer.byteSize()
                    + " bytes does not hold whole elements of type " + type);
        }
        return buffer.byteSize() / type.byteSize();
    }
}
