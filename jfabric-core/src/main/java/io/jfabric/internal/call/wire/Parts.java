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
    private static final String CALL = "Caller.call";

    private Parts() {
    }

    /**
     * The request that a program gives as a list, without empty parts; nobody else changes it.
     *
     * @param shared whether the node's own thread uses it, too
     */
    public static MemorySegment[] of(List<MemorySegment> request, boolean shared) {
        MemorySegment[] parts = Arguments.given(request, CALL, "the list of the parts of the request")
                .toArray(new MemorySegment[0]);
        int count = 0;
        for (int i = 0; i < parts.length; i++) {
            MemorySegment part = parts[i];
            if (part == null || !part.scope().isAlive() || !Buffers.isForAnyThread(part)) {
                check(part, "the part at index " + i + " of " + parts.length, shared);
            }
            if (part.byteSize() > 0) {
                parts[count++] = part;
            }
        }
        MemorySegment[] filled = Arrays.copyOf(parts, count);
        length(filled);
        return filled;
    }

    private static void check(MemorySegment part, String place, boolean shared) {
        if (part == null) {
            throw new NullPointerException(CALL + ": " + place + " is null; for an empty request use an empty list");
        }
        Buffers.checkAccessible(CALL + ": " + place, part);
        if (shared) {
            Buffers.checkForAnyThread(CALL, place, part);
        }
    }

    public static long length(MemorySegment[] parts) {
        long length = 0;
        for (MemorySegment part : parts) {
            length = Sizes.sum(CALL, "parts of the request", length, part.byteSize());
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

    /** Whether a provider can read all of it. */
    static boolean areNative(MemorySegment[] parts) {
        for (MemorySegment part : parts) {
            if (!part.isNative()) {
                return false;
            }
        }
        return true;
    }

    /** Whether a provider can read all of it, whichever thread it is called by. */
    static boolean areForAnyThread(MemorySegment[] parts) {
        for (MemorySegment part : parts) {
            if (!Buffers.isForAnyThread(part)) {
                return false;
            }
        }
        return true;
    }

    public static void copy(MemorySegment[] parts, MemorySegment to, long offset) {
        long at = offset;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, to, at, part.byteSize());
            at += part.byteSize();
        }
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
