// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.internal.ffi.Environment;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Gives the JVM its signal handlers back.
 *
 * <p>Some builds of libfabric take SIGSEGV when they are loaded (constructors of libraries that providers link), and a
 * provider takes it with the first endpoint. The JVM turns SIGSEGV into NullPointerException, so after that an ordinary
 * null dereference kills the process, or makes the provider unlink the names of its endpoints.
 */
public final class Signals {
    // SIGINT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGSEGV SIGTERM: all that a provider was seen to take
    private static final int[] TAKEN = {2, 4, 5, 6, 7, 8, 11, 15};
    /** SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGSEGV: the JVM needs them in its own code, in any thread. */
    private static final int[] CAUSED = {4, 5, 6, 7, 8, 11};
    /** sizeof(sigset_t). */
    private static final long SET_BYTES = 128;
    /** At least sizeof(struct sigaction): 152 bytes on 64-bit glibc. */
    private static final long ACTION_BYTES = 256;
    /** What keeps psm and UCX from taking any: between their doing so and our undoing it, a signal ends the JVM. */
    private static final Map<String, String> REFUSALS = Map.of("IPATH_NO_BACKTRACE", "1", "UCX_ERROR_SIGNALS", "");

    /** A constant is one object in all copies of jfabric that class loaders load: the handlers are the process's. */
    private static final String PROCESS = "jfabric.signals";
    /**
     * For all copies: how many threads run an action, then what was saved. Only the first of them may save, the next
     * would save what a provider has just set.
     */
    private static final long INSIDE = ofProcess();
    private static final long SAVED = INSIDE + Long.BYTES;
    private static final MemorySegment NOW = Arena.global().allocate(ACTION_BYTES, 8);

    private Signals() {
    }

    /** Call before loading libraries. Never undone, as fi_getinfo loads more; what the user has set is left alone. */
    static void refuseHandlers() {
        REFUSALS.forEach((name, value) -> {
            if (LibC.getenv(name) == null) {
                Environment.set(name, value);
            }
        });
    }

    /** Runs {@code action} and afterwards puts back every handler it replaced. */
    public static <T> T keep(Supplier<T> action) {
        enter();
        try {
            return action.get();
        } finally {
            leave();
        }
    }

    /** Runs what must not park; threads that it starts get no signals but those that they or the JVM cause. */
    public static <T> T unheard(Supplier<T> action) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(SET_BYTES, 8).fill((byte) -1);
            for (int signal : CAUSED) {
                // bit 0 is that of signal 1
                all.set(ValueLayout.JAVA_LONG, 0, all.get(ValueLayout.JAVA_LONG, 0) & ~(1L << signal - 1));
            }
            MemorySegment before = arena.allocate(SET_BYTES, 8);
            LibC.blockSignals(false, all.address(), before.address());
            try {
                return action.get();
            } finally {
                LibC.blockSignals(true, before.address(), 0);
            }
        }
    }

    /** The global arena is never freed, not even with the copy that comes first. */
    private static long ofProcess() {
        return Long.parseLong(System.getProperties().computeIfAbsent(PROCESS, key -> Long.toString(Arena.global()
                .allocate(Long.BYTES + ACTION_BYTES * TAKEN.length, 8).address())).toString());
    }

    private static void enter() {
        synchronized (PROCESS) {
            long inside = Memory.getLong(INSIDE);
            Memory.putLong(INSIDE, inside + 1);
            for (int i = 0; inside == 0 && i < TAKEN.length; i++) {
                LibC.sigaction(TAKEN[i], 0, SAVED + i * ACTION_BYTES);
            }
        }
    }

    private static void leave() {
        synchronized (PROCESS) {
            Memory.putLong(INSIDE, Memory.getLong(INSIDE) - 1);
            for (int i = 0; i < TAKEN.length; i++) {
                long before = SAVED + i * ACTION_BYTES;
                LibC.sigaction(TAKEN[i], 0, NOW.address());
                // sa_handler comes first; of the mask that follows, glibc leaves most bytes to chance
                if (Memory.getLong(NOW.address()) != Memory.getLong(before)) {
                    LibC.sigaction(TAKEN[i], before, 0);
                }
            }
        }
    }
}
