// SPDX-License-Identifier: Apache-2.0
package io.jfabric.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Gives the JVM its signal handlers back.
 *
 * <p>Some builds of libfabric take SIGSEGV when they are loaded (psm's and UCX's constructors), and the shm provider
 * takes it with the first endpoint. The JVM turns SIGSEGV into NullPointerException, so after that an ordinary null
 * dereference kills the process, or makes shm unlink the names of its endpoints.
 */
public final class Signals {
    // SIGINT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGSEGV SIGTERM: all that a provider was seen to take
    private static final int[] TAKEN = {2, 4, 5, 6, 7, 8, 11, 15};
    /** At least sizeof(struct sigaction): 152 bytes on 64-bit glibc. */
    private static final long ACTION_BYTES = 256;

    private Signals() {
    }

    /** Runs {@code action} and afterwards puts back every handler it replaced. */
    public static <T> T keep(Supplier<T> action) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = save(arena);
            try {
                return action.get();
            } finally {
                restore(before);
            }
        }
    }

    private static MemorySegment save(Arena arena) {
        MemorySegment actions = arena.allocate(ACTION_BYTES * TAKEN.length, 8);
        for (int i = 0; i < TAKEN.length; i++) {
            LibC.sigaction(TAKEN[i], 0, actions.address() + i * ACTION_BYTES);
        }
        return actions;
    }

    private static void restore(MemorySegment actions) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment now = arena.allocate(ACTION_BYTES, 8);
            for (int i = 0; i < TAKEN.length; i++) {
                MemorySegment before = actions.asSlice(i * ACTION_BYTES, ACTION_BYTES);
                LibC.sigaction(TAKEN[i], 0, now.address());
                if (now.mismatch(before) != -1) {
                    LibC.sigaction(TAKEN[i], before.address(), 0);
                }
            }
        }
    }
}
