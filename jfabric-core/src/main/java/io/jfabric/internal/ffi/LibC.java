// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The few functions of the C library that the binding cannot do without. */
public final class LibC {
    private static final MethodHandle STRDUP = bound("strdup", FunctionDescriptor.of(L, L));
    private static final MethodHandle MALLOC = bound("malloc", FunctionDescriptor.of(L, L));
    private static final MethodHandle CALLOC = bound("calloc", FunctionDescriptor.of(L, L, L));
    private static final MethodHandle FREE = bound("free", FunctionDescriptor.ofVoid(L));
    private static final MethodHandle SETENV = bound("setenv", FunctionDescriptor.of(I, L, L, I));
    private static final MethodHandle UNSETENV = bound("unsetenv", FunctionDescriptor.of(I, L));
    private static final MethodHandle GETENV = bound("getenv", FunctionDescriptor.of(L, L));
    private static final MethodHandle SIGACTION = bound("sigaction", FunctionDescriptor.of(I, I, L, L));
    private static final MethodHandle POLL = bound("poll", FunctionDescriptor.of(I, L, L, I));

    private LibC() {
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bound(String name, FunctionDescriptor type) {
        // In the process's own order, as libfabric finds them: a preloaded allocator comes before the C library there,
        // and what is allocated here libfabric frees. The linker's default lookup would take the C library's.
        Linker linker = Linker.nativeLinker();
        long address = DynamicLoader.symbol(DynamicLoader.PROCESS, name);
        return linker.downcallHandle(address == 0 ? linker.defaultLookup().findOrThrow(name)
                : MemorySegment.ofAddress(address), type);
    }

    /** A copy of {@code text} on the C heap, which libfabric may free; 0 for null. */
    public static long strdup(String text) {
        if (text == null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            return notNull((long) STRDUP.invokeExact(arena.allocateFrom(text).address()), text.length());
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** A copy of {@code bytes} on the C heap, which libfabric may free; 0 for null or empty. */
    public static long copy(byte[] bytes) {
        if (bytes == null || bytes.length == 0) {
            return 0;
        }
        try {
            long address = notNull((long) MALLOC.invokeExact((long) bytes.length), bytes.length);
            Memory.segment(address, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
            return address;
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** {@code calloc(3)}: memory of zeros; 0 if there is none left. */
    public static long calloc(long size) {
        try {
            return (long) CALLOC.invokeExact(1L, size);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    private static long notNull(long address, long size) {
        if (address == 0) {
            throw new OutOfMemoryError("the C heap has no " + size + " bytes left");
        }
        return address;
    }

    /** {@code free(3)}; 0 is allowed. */
    public static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** {@code setenv(3)}, which the JVM itself does not see; null removes the variable. */
    public static void setenv(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            long n = arena.allocateFrom(name).address();
            int ignored = value == null
                    ? (int) UNSETENV.invokeExact(n)
                    : (int) SETENV.invokeExact(n, arena.allocateFrom(value).address(), 1);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** {@code getenv(3)}: what C code in this process sees, {@link #setenv} included. */
    public static String getenv(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Memory.string((long) GETENV.invokeExact(arena.allocateFrom(name).address()));
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** {@code sigaction(2)}; either pointer may be 0. */
    static int sigaction(int signal, long action, long old) {
        try {
            return (int) SIGACTION.invokeExact(signal, action, old);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** {@code poll(2)}: how many descriptors are ready, 0 when the time is up, -1 mostly for a signal. */
    public static int poll(long pollfds, long count, int timeout) {
        try {
            return (int) POLL.invokeExact(pollfds, count, timeout);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }
}
