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
    private static final MethodHandle GETEUID = bound("geteuid", FunctionDescriptor.of(I));
    private static final MethodHandle SIGACTION = bound("sigaction", FunctionDescriptor.of(I, I, L, L));
    private static final MethodHandle POLL = bound("poll", FunctionDescriptor.of(I, L, L, I));
    private static final MethodHandle MMAP = bound("mmap", FunctionDescriptor.of(L, L, L, I, I, I, L));
    private static final MethodHandle MUNMAP = bound("munmap", FunctionDescriptor.of(I, L, L));
    private static final MethodHandle MPROTECT = bound("mprotect", FunctionDescriptor.of(I, L, L, I));
    private static final MethodHandle MADVISE = bound("madvise", FunctionDescriptor.of(I, L, L, I));
    // Linux's, the same on x86-64 and AArch64
    private static final int PROT_NONE = 0;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x2 | 0x20 | 0x4000;
    private static final int MAP_FIXED_NOREPLACE = 0x100000;
    private static final int MADV_DONTNEED = 4;

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

    /** {@code geteuid(2)}: as whom this process makes files. */
    public static int geteuid() {
        try {
            return (int) GETEUID.invokeExact();
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** {@code sigaction(2)}; either pointer may be 0. */
    public static int sigaction(int signal, long action, long old) {
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

    /**
     * Address space without memory behind it, of which a part from its beginning gets memory when it is touched. It
     * stays for the life of the process.
     *
     * @return its address; 0 if the kernel refuses
     */
    public static long reserve(long bytes, long usable) {
        try {
            long address = (long) MMAP.invokeExact(0L, bytes, PROT_NONE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
            if (address == -1) {
                return 0;
            }
            return (int) MPROTECT.invokeExact(address, usable, PROT_READ_WRITE) == 0 ? address : 0;
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** Maps memory that is used when it is touched at an address; false if something is mapped there. */
    public static boolean mapAt(long address, long bytes) {
        try {
            long mapped = (long) MMAP.invokeExact(address, bytes, PROT_READ_WRITE,
                    MAP_PRIVATE_ANONYMOUS_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0L);
            if (mapped != -1 && mapped != address) {
                // kernels before 4.17 take the flag for a hint
                unmap(mapped, bytes);
            }
            return mapped == address;
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    public static void unmap(long address, long bytes) {
        try {
            int ignored = (int) MUNMAP.invokeExact(address, bytes);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** Gives memory that was touched back to the system; the address space stays, and reads as 0. */
    public static void forget(long address, long bytes) {
        try {
            int ignored = (int) MADVISE.invokeExact(address, bytes, MADV_DONTNEED);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }
}
