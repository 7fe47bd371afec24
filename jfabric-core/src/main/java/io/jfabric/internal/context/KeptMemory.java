// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Tells which memory an operation uses from what its context keeps reachable. */
public final class KeptMemory {
    private KeptMemory() {
    }

    /** Goes through all of the memory. Anything of an unknown kind counts as all memory, so that none is freed. */
    public static void forEach(Object kept, Consumer<MemorySegment> action) {
        switch (kept) {
            case null -> { }
            case MemorySegment segment -> action.accept(segment);
            case Holder holder -> forEach(holder.buffers(), action);
            case Object[] several -> {
                for (Object one : several) {
                    forEach(one, action);
                }
            }
            case Iterable<?> several -> several.forEach(one -> forEach(one, action));
            default -> action.accept(Memory.all());
        }
    }

    /**
     * The same memory without confined segments. Such a segment leads to its thread and to all that this ran, which
     * then could not become garbage; and keeping it does not keep the memory. Anything of an unknown kind stays as it
     * is.
     */
    public static Object withoutThreads(Object kept) {
        if (kept instanceof MemorySegment segment) {
            boolean confined = segment.isNative() && !Buffers.isForAnyThread(segment);
            return confined ? Memory.segment(segment.address(), segment.byteSize()) : segment;
        }
        if (kept instanceof Object[] several) {
            Object[] without = Arrays.stream(several).map(KeptMemory::withoutThreads).toArray();
            boolean same = IntStream.range(0, without.length).allMatch(i -> without[i] == several[i]);
            return same ? several : without;
        }
        return kept;
    }

    /**
     * To be called inside the endpoint's entry, where no arena of jfabric can be closed; between the first check of the
     * buffers and this call one could. If the operation must not start, what was added for it is released.
     */
    public static void checkAlive(Object kept) {
        if (kept instanceof MemorySegment segment) {
            checkAlive(segment);
        } else if (kept != null) {
            checkAllAlive(kept);
        }
    }

    /** As above, for an operation that keeps nothing. */
    public static void checkAlive(MemorySegment segment) {
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the arena of the buffer is closed");
        }
    }

    private static void checkAllAlive(Object kept) {
        try {
            forEach(kept, KeptMemory::checkAlive);
        } catch (IllegalStateException e) {
            Kept.release(kept);
            throw e;
        }
    }
}
