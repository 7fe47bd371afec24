// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The few functions of the C library that the binding cannot do without. */
public final class LibC {
    private static final MemorySegment STRDUP = function("strdup");
    private static final MemorySegment MALLOC = function("malloc");
    private static final MemorySegment CALLOC = function("calloc");
    private static final MemorySegment FREE = function("free");
    private static final MemorySegment SETENV = function("setenv");
    private static final MemorySegment UNSETENV = function("unsetenv");
    private static final MemorySegment GETENV = function("getenv");
    private static final MemorySegment GETEUID = function("geteuid");
    private static final MemorySegment SIGACTION = function("sigaction");
    private static final MemorySegment PTHREAD_SIGMASK = function("pthread_sigmask");
    private static final MemorySegment POLL = function("poll");
    private static final MemorySegment OPEN = function("open");
    private static final MemorySegment CLOSE = function("close");
    private static final MemorySegment FALLOCATE = function("posix_fallocate");
    private static final MemorySegment MMAP = function("mmap");
    private static final MemorySegment MUNMAP = function("munmap");
    private static final MemorySegment MPROTECT = function("mprotect");
    private static final MemorySegment MADVISE = function("madvise");
    private static final MemorySegment MINCORE = function("mincore");
    private static final MemorySegment ERRNO_LOCATION = function("__errno_location");
    // Linux's, the same on x86-64 and AArch64
    private static final int PROT_NONE = 0;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x2 | 0x20 | 0x4000;
    private static final int MAP_FIXED_NOREPLACE = 0x100000;
    private static final int MADV_DONTNEED = 4;
    private static final long LEAST_PAGE = 4096;
    private static final int SIG_BLOCK = 0;
    private static final int SIG_SETMASK = 2;
    private static final int O_RDWR_CLOEXEC = 0x2 | 0x80000;

    private LibC() {
    }

    static MemorySegment function(String name) {
        // In the process's own order, as libfabric finds them: a preloaded allocator comes before the C library there,
        // and what is allocated here libfabric frees. The linker's default lookup would take the C library's.
        long address = DynamicLoader.symbol(DynamicLoader.PROCESS, name);
        return address == 0 ? Linker.nativeLinker().defaultLookup().findOrThrow(name) : Downcall.function(address);
    }

    /** A copy of {@code text} on the C heap, which libfabric may free; 0 for null. */
    public static long strdup(String text) {
        if (text == null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            return notNull(CallLong.longL(STRDUP, arena.allocateFrom(text).address()), text.length());
        }
    }

    /** A copy of {@code bytes} on the C heap, which libfabric may free; 0 for null or empty. */
    public static long copy(byte[] bytes) {
        if (bytes == null || bytes.length == 0) {
            return 0;
        }
        long address = notNull(CallLong.longL(MALLOC, bytes.length), bytes.length);
        Memory.segment(address, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        return address;
    }

    /** {@code calloc(3)}: memory of zeros; 0 if there is none left. */
    public static long calloc(long size) {
        return CallLong.longLL(CALLOC, 1L, size);
    }

    private static long notNull(long address, long size) {
        if (address == 0) {
            throw new OutOfMemoryError("the C heap has no " + size + " bytes left");
        }
        return address;
    }

    /** {@code free(3)}; 0 is allowed. */
    public static void free(long address) {
        CallVoid.voidL(FREE, address);
    }

    /** {@code setenv(3)}, which the JVM itself does not see; null removes the variable. */
    public static void setenv(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            long n = arena.allocateFrom(name).address();
            if (value == null) {
                CallInt.intL(UNSETENV, n);
            } else {
                CallInt.intLLI(SETENV, n, arena.allocateFrom(value).address(), 1);
            }
        }
    }

    /** {@code getenv(3)}: what C code in this process sees, {@link #setenv} included. */
    public static String getenv(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Memory.string(CallLong.longL(GETENV, arena.allocateFrom(name).address()));
        }
    }

    /** Whether it is the GNU C library, whose types have a known layout. */
    public static boolean isGlibc() {
        return Linker.nativeLinker().defaultLookup().find("gnu_get_libc_version").isPresent();
    }

    /** {@code geteuid(2)}: the user who owns the files that this process makes. */
    public static int geteuid() {
        return CallInt.intVoid(GETEUID);
    }

    /** {@code sigaction(2)}; either pointer may be 0. */
    public static int sigaction(int signal, long action, long old) {
        return CallInt.intILL(SIGACTION, signal, action, old);
    }

    /** {@code poll(2)}: how many descriptors are ready, 0 when the time is up, -1 mostly for a signal. */
    public static int poll(long pollfds, long count, int timeout) {
        return CallInt.intLLI(POLL, pollfds, count, timeout);
    }

    /**
     * {@code errno = 0}, for the next native call in this thread. Nothing may park before that call: a virtual thread
     * may go on in another platform thread.
     */
    public static void clearErrno() {
        Memory.putInt(CallLong.longVoid(ERRNO_LOCATION), 0);
    }

    /** {@code close(2)}. */
    public static void close(int fd) {
        CallInt.intI(CLOSE, fd);
    }

    /** {@code pthread_sigmask(3)}: blocks a set of signals, or sets what was blocked before; either may be 0. */
    public static void blockSignals(boolean set, long signals, long before) {
        CallInt.intILL(PTHREAD_SIGMASK, set ? SIG_SETMASK : SIG_BLOCK, signals, before);
    }

    /**
     * Reserves address space without memory behind it, except that a part at its beginning gets memory when it is
     * touched. It stays for the life of the process.
     *
     * @return its address; 0 if the kernel refuses
     */
    public static long reserve(long bytes, long usable) {
        long address = CallLong.longLLIIIL(MMAP, 0L, bytes, PROT_NONE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
        if (address == -1) {
            return 0;
        }
        return CallInt.intLLI(MPROTECT, address, usable, PROT_READ_WRITE) == 0 ? address : 0;
    }

    /** Maps memory at an address, which is allocated when it is touched; false if something is mapped there. */
    public static boolean mapAt(long address, long bytes) {
        long mapped = CallLong.longLLIIIL(MMAP, address, bytes, PROT_READ_WRITE,
                MAP_PRIVATE_ANONYMOUS_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0L);
        if (mapped != -1 && mapped != address) {
            // kernels before 4.17 take the flag for a hint
            unmap(mapped, bytes);
        }
        return mapped == address;
    }

    public static void unmap(long address, long bytes) {
        CallInt.intLL(MUNMAP, address, bytes);
    }

    /** Gives memory that was touched back to the system; the address space stays, and reads as 0. */
    public static void forget(long address, long bytes) {
        CallInt.intLLI(MADVISE, address, bytes, MADV_DONTNEED);
    }

    /** {@code mincore(2)}: whether any of that memory was touched, as whole pages; false where that is not known. */
    public static boolean isTouched(long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pages = arena.allocate(bytes / LEAST_PAGE);
            CallInt.intLLL(MINCORE, address, bytes, pages.address());
            for (byte page : pages.toArray(ValueLayout.JAVA_BYTE)) {
                if ((page & 1) != 0) {
                    return true;
                }
            }
            return false;
        }
    }

    /** {@code posix_fallocate(3)} of a part of a file: 0, or what is wrong with the file or its system. */
    public static int allocate(String file, long offset, long bytes) {
        int fd;
        try (Arena arena = Arena.ofConfined()) {
            fd = CallInt.intLI(OPEN, arena.allocateFrom(file).address(), O_RDWR_CLOEXEC);
        }
        if (fd < 0) {
            return Errno.EIO;
        }
        int result;
        do {
            result = CallInt.intILL(FALLOCATE, fd, offset, bytes);
        } while (result == Errno.EINTR);
        close(fd);
        return result;
    }
}
