// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.shared.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is sent as one payload although it lies apart: one part behind the other. Mostly there is only one. */
public final class Parts {
    private Parts() {
    }

    /**
     * What a program gives as a list, without empty parts; nobody else changes it.
     *
     * @param what a request or an answer
     * @param shared whether the node's own thread uses it, too
     */
    public static MemorySegment[] of(String operation, String what, List<MemorySegment> list, boolean shared) {
        MemorySegment[] parts = Arguments.given(list, operation, "the list of the parts of the " + what)
                .toArray(new MemorySegment[0]);
        long length = 0;
        int count = 0;
        for (int i = 0; i < parts.length; i++) {
            MemorySegment part = parts[i];
            if (part == null || !part.scope().isAlive() || !Buffers.isForAnyThread(part)) {
                check(operation, what, part, "the part at index " + i + " of " + parts.length, shared);
            }
            length = Sizes.sum(operation, "parts of the " + what, length, part.byteSize());
            if (part.byteSize() > 0) {
                parts[count++] = part;
            }
        }
        return Arrays.copyOf(parts, count);
    }

    private static void check(String operation, String what, MemorySegment part, String place, boolean shared) {
        if (part == null) {
            throw new NullPointerException(operation + ": " + place + " is null; for an empty " + what
                    + " use an empty list");
        }
        Buffers.checkAccessible(operation + ": " + place, part);
        if (shared) {
            Buffers.checkForAnyThread(operation, place, part);
        }
    }

    public static long length(MemorySegment[] parts) {
        long length = 0;
        for (MemorySegment part : parts) {
            length += part.byteSize();
        }
        return length;
    }

    public static boolean isAnyNative(MemorySegment[] parts) {
        for (MemorySegment part : parts) {
            if (part.isNative()) {
                return true;
            }
        }
        return false;
    }

    /** How much of it a provider cannot read where it is. */
    static long heapLength(MemorySegment[] parts) {
        long length = 0;
        for (MemorySegment part : parts) {
            length += part.isNative() ? 0 : part.byteSize();
        }
        return length;
    }

    /** Whether none of it is a thread's own. */
    public static boolean areForAnyThread(MemorySegment[] parts) {
        for (MemorySegment part : parts) {
            if (part.isNative() && !Buffers.isForAnyThread(part)) {
                return false;
            }
        }
        return true;
    }

    public static boolean areAlive(MemorySegment[] parts) {
        for (MemorySegment part : parts) {
            if (!part.scope().isAlive()) {
                return false;
            }
        }
        return true;
    }

    /** Whether any of it is in that memory, which is native. */
    public static boolean areIn(MemorySegment[] parts, MemorySegment memory) {
        for (MemorySegment part : parts) {
            if (part.isNative() && memory.asOverlappingSlice(part).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** To where none of it is, unless it has a single part. */
    public static void copy(MemorySegment[] parts, MemorySegment to, long offset) {
        long at = offset;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, to, at, part.byteSize());
            at += part.byteSize();
        }
    }

    /** The same payload, after a copy to there: of all of it if that is as long, else of what is on the heap. */
    public static MemorySegment[] copied(MemorySegment[] parts, MemorySegment to) {
        if (to.byteSize() == length(parts)) {
            copy(parts, to, 0);
            return new MemorySegment[] {to};
        }
        MemorySegment[] all = parts.clone();
        long at = 0;
        for (int i = 0; i < all.length; i++) {
            if (!all[i].isNative()) {
                all[i] = to.asSlice(at, all[i].byteSize()).copyFrom(all[i]);
                at += all[i].byteSize();
            }
        }
        return all;
    }

    /** A copy in one piece, on the heap: it is as short as a message. */
    public static MemorySegment[] joined(MemorySegment[] parts) {
        MemorySegment all = MemorySegment.ofArray(new byte[(int) length(parts)]);
        copy(parts, all, 0);
        return new MemorySegment[] {all};
    }

    /** The parts of so many bytes of it. */
    static MemorySegment[] slice(MemorySegment[] parts, long offset, long length) {
        List<MemorySegment> some = new ArrayList<>(parts.length);
        long at = 0;
        for (MemorySegment part : parts) {
            long from = Math.max(at, offset);
            long to = Math.min(at + part.byteSize(), offset + length);
            if (from < to) {
                some.add(part.asSlice(from - at, to - from));
            }
            at += part.byteSize();
        }
        return some.toArray(new MemorySegment[0]);
    }
}
