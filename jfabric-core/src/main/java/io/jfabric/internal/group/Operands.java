// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.internal.combine.Combiner;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;

/** Checks the buffers of collective operations before anything is sent. */
final class Operands {
    /** Whether threads other than the caller's use them. */
    private final boolean forOthers;

    Operands(boolean forOthers) {
        this.forOthers = forOthers;
    }

    private void checkThread(String operation, MemorySegment buffer) {
        if (forOthers) {
            Buffers.checkForAnyThread(operation, "the memory", buffer);
        }
    }

    MemorySegment readable(String operation, MemorySegment buffer) {
        Buffers.address(operation, Arguments.given(buffer, operation, "the buffer"));
        checkThread(operation, buffer);
        return buffer;
    }

    /** The beginning of a buffer that is sent. */
    MemorySegment readable(String operation, MemorySegment buffer, long size) {
        if (readable(operation, buffer).byteSize() < size) {
            throw new IllegalArgumentException(operation + ": the blocks have " + size + " bytes, the buffer has "
                    + buffer.byteSize());
        }
        return buffer.asSlice(0, size);
    }

    /** The beginning of a buffer for a result. */
    MemorySegment room(String operation, MemorySegment result, long size) {
        Buffers.writable(operation, Arguments.given(result, operation, "the result"));
        checkThread(operation, result);
        if (result.byteSize() < size) {
            throw new IllegalArgumentException(operation + ": the result needs " + size + " bytes, the buffer has "
                    + result.byteSize());
        }
        return result.asSlice(0, size);
    }

    /** The size of one of equal blocks. */
    static long block(String operation, MemorySegment buffer, int members, long elementSize) {
        if (buffer.byteSize() % (members * elementSize) != 0) {
            throw new IllegalArgumentException(operation + ": " + buffer.byteSize() + " bytes are not a block of whole "
                    + "elements of " + elementSize + " bytes for each of " + members + " members");
        }
        return buffer.byteSize() / members;
    }

    /** The size of as many blocks as there are members. */
    static long blocks(String operation, long block, int members) {
        if (block > Long.MAX_VALUE / members) {
            throw new IllegalArgumentException(operation + ": " + members + " blocks of " + block
                    + " bytes are more than there is memory");
        }
        return block * members;
    }

    /** Where blocks of these sizes begin, one after the other, and where the last one ends. */
    static long[] places(String operation, String name, long[] sizes, int members) {
        if (Arguments.given(sizes, operation, "the array of " + name).length != members) {
            throw new IllegalArgumentException(operation + ": " + sizes.length + " " + name + ", not one for each of "
                    + members + " members");
        }
        long[] places = new long[members + 1];
        for (int i = 0; i < members; i++) {
            places[i + 1] = places[i] + sizes[i];
            if (sizes[i] < 0 || places[i + 1] < 0) {
                throw new IllegalArgumentException(operation + ": the " + name + " have " + sizes[i] + " for rank " + i
                        + ", which is negative, or more than there is memory");
            }
        }
        return places;
    }

    /** Checks that two buffers do not overlap, unless they are the same. */
    static void apart(String operation, MemorySegment buffer, MemorySegment part) {
        if (buffer.address() != part.address() || buffer.byteSize() != part.byteSize()) {
            disjoint(operation, buffer, part);
        }
    }

    static void disjoint(String operation, MemorySegment buffer, MemorySegment other) {
        if (buffer.address() < other.address() + other.byteSize()
                && other.address() < buffer.address() + buffer.byteSize()) {
            throw new IllegalArgumentException(operation + ": buffer and result overlap in a way that this operation "
                    + "cannot work in place; give it two that do not");
        }
    }

    Combiner combiner(String operation, MemorySegment buffer, Datatype type, AtomicOp op) {
        Arguments.given(type, operation, "the datatype");
        Arguments.given(op, operation, "how to combine");
        if (!Combiner.isDefined(type, op)) {
            throw new IllegalArgumentException(operation + ": elements of type " + type + " cannot be combined by "
                    + op + "; see Group for what can");
        }
        readable(operation, buffer);
        if (buffer.byteSize() % type.byteSize() != 0) {
            throw new IllegalArgumentException(operation + ": a buffer of " + buffer.byteSize()
                    + " bytes does not hold whole elements of type " + type);
        }
        return new Combiner(type, op);
    }
}
