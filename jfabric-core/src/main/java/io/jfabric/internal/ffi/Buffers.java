// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.foreign.MemorySegment;

/** Checks the memory a user gives before a provider sees it. */
public final class Buffers {
    /** Stands for any thread. */
    private static final Thread SOMEBODY = Thread.ofPlatform().unstarted(() -> { });

    private Buffers() {
    }

    /** The address of a segment the provider may read. */
    public static long address(String operation, MemorySegment buffer) {
        long address = addressOf(operation, buffer);
        checkAlive(operation, buffer);
        return address;
    }

    /** The address of a segment the provider may write. */
    public static long writable(String operation, MemorySegment buffer) {
        long address = writableAddressOf(operation, buffer);
        checkAlive(operation, buffer);
        return address;
    }

    /** Whether {@link #address} accepts it, or {@link #writable} if it will be written. */
    public static boolean isUsable(MemorySegment buffer, boolean written) {
        return buffer != null && buffer.isNative() && !(written && buffer.isReadOnly())
                && buffer.isAccessibleBy(Thread.currentThread()) && buffer.scope().isAlive();
    }

    /** As {@link #address}, but {@link #checkAlive} must still be called, where the arena cannot be closed. */
    public static long addressOf(String operation, MemorySegment buffer) {
        if (buffer == null || !buffer.isNative() || !buffer.isAccessibleBy(Thread.currentThread())) {
            throw unusable(operation, buffer);
        }
        return buffer.address();
    }

    /** As {@link #writable}, but {@link #checkAlive} must still be called, where the arena cannot be closed. */
    public static long writableAddressOf(String operation, MemorySegment buffer) {
        if (buffer == null || !buffer.isNative() || buffer.isReadOnly()
                || !buffer.isAccessibleBy(Thread.currentThread())) {
            throw unusable(operation, buffer);
        }
        return buffer.address();
    }

    /** Checks that the arena is open. Inside an endpoint's entry no arena of jfabric's is closed. */
    public static void checkAlive(String operation, MemorySegment buffer) {
        if (!buffer.scope().isAlive()) {
            throw unusable(operation, buffer);
        }
    }

    /** Whether any thread may hand it to the provider: it is native, and no thread's own. */
    public static boolean isForAnyThread(MemorySegment buffer) {
        return buffer.isNative() && buffer.isAccessibleBy(SOMEBODY);
    }

    /** Checks that memory which the node's own thread will use, too, is no thread's own; on the heap it is nobody's. */
    public static void checkForAnyThread(String operation, String what, MemorySegment memory) {
        if (memory.isNative() && !isForAnyThread(memory)) {
            throw new WrongThreadException(operation + ": " + what + " is confined to one thread, but the node's own "
                    + "thread uses it, too; allocate it with Node.allocate");
        }
    }

    /** Checks that a part lies within the buffer. */
    public static void range(String operation, MemorySegment buffer, long offset, long length) {
        if ((offset | length) < 0 || length > buffer.byteSize() - offset) {
            throw new IndexOutOfBoundsException(operation + ": offset " + offset + " and length " + length
                    + " are not inside the buffer of " + buffer.byteSize() + " bytes");
        }
    }

    /** The beginning of a segment that only Java reads or writes: it may be on the heap. */
    public static MemorySegment accessible(String operation, MemorySegment buffer, long bytes) {
        if (buffer == null) {
            throw new NullPointerException(operation + ": the memory is null");
        }
        checkAccessible(operation, buffer);
        range(operation, buffer, 0, bytes);
        return buffer.asSlice(0, bytes);
    }

    /** Checks that this thread may read memory, which may be on the heap. */
    public static void checkAccessible(String operation, MemorySegment buffer) {
        if (!buffer.scope().isAlive()) {
            throw new IllegalStateException(operation + ": the arena of the memory is closed");
        }
        if (!buffer.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException(operation + ": the arena of the memory is confined to another thread");
        }
    }

    private static RuntimeException unusable(String operation, MemorySegment buffer) {
        if (buffer == null) {
            return new NullPointerException(operation + ": the buffer is null; for an empty message use "
                    + "MemorySegment.NULL");
        }
        if (!buffer.isNative()) {
            return new IllegalArgumentException(operation + ": the buffer is on the Java heap, where no provider can "
                    + "reach it; allocate it with Node.allocate or from Domain.openArena()");
        }
        if (!buffer.scope().isAlive()) {
            return new IllegalStateException(operation + ": the arena of the buffer is closed; keep it open until "
                    + "the operation has completed");
        }
        if (!buffer.isAccessibleBy(Thread.currentThread())) {
            return new WrongThreadException(operation + ": the arena of the buffer is confined to another thread, "
                    + "which may close it at any time; use Domain.openArena()");
        }
        return new IllegalArgumentException(operation + ": the buffer is read-only, but the provider writes to it");
    }
}
