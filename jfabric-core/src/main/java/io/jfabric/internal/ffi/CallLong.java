// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of functions that return a {@code ssize_t}, {@code uint64_t} or pointer: one method a signature, named by its
 * parameters, {@code L} for 64 bits and pointers, {@code I} for 32. The first argument is the address of the
 * function; {@link Downcall#NONE} answers {@code -FI_ENOSYS}.
 *
 * <p>A handle is made when its signature is first called: each costs a millisecond.
 */
public final class CallLong {
    private CallLong() {
    }

    private static final class LongVoid {
        static final MethodHandle HANDLE = Downcall.of(L);
    }

    public static long longVoid(MemorySegment f) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongVoid.HANDLE.invokeExact(f);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongI {
        static final MethodHandle HANDLE = Downcall.of(L, I);
    }

    public static long longI(MemorySegment f, int a) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongI.HANDLE.invokeExact(f, a);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongL {
        static final MethodHandle HANDLE = Downcall.of(L, L);
    }

    public static long longL(MemorySegment f, long a) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongL.HANDLE.invokeExact(f, a);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLI {
        static final MethodHandle HANDLE = Downcall.of(L, L, I);
    }

    public static long longLI(MemorySegment f, long a, int b) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLI.HANDLE.invokeExact(f, a, b);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L);
    }

    public static long longLL(MemorySegment f, long a, long b) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLL.HANDLE.invokeExact(f, a, b);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L);
    }

    public static long longLLL(MemorySegment f, long a, long b, long c) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLL.HANDLE.invokeExact(f, a, b, c);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLILL {
        static final MethodHandle HANDLE = Downcall.of(L, L, I, L, L);
    }

    public static long longLILL(MemorySegment f, long a, int b, long c, long d) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLILL.HANDLE.invokeExact(f, a, b, c, d);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L);
    }

    public static long longLLLL(MemorySegment f, long a, long b, long c, long d) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLL.HANDLE.invokeExact(f, a, b, c, d);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLILLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, I, L, L, L);
    }

    public static long longLILLL(MemorySegment f, long a, int b, long c, long d, long e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLILLL.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLI {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, I);
    }

    public static long longLLLLI(MemorySegment f, long a, long b, long c, long d, int e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLI.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L);
    }

    public static long longLLLLL(MemorySegment f, long a, long b, long c, long d, long e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLL.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLIL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, I, L);
    }

    public static long longLLLLIL(MemorySegment f, long a, long b, long c, long d, int e, long g) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLIL.HANDLE.invokeExact(f, a, b, c, d, e, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLI {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, I);
    }

    public static long longLLLLLI(MemorySegment f, long a, long b, long c, long d, long e, int g) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLI.HANDLE.invokeExact(f, a, b, c, d, e, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L);
    }

    public static long longLLLLLL(MemorySegment f, long a, long b, long c, long d, long e, long g) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L);
    }

    public static long longLLLLLLL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g, h);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLII {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, I, I);
    }

    public static long longLLLLLLII(MemorySegment f, long a, long b, long c, long d, long e, long g, int h, int i) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLII.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L);
    }

    public static long longLLLLLLLL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, long i) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLILL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, I, L, L);
    }

    public static long longLLLLLLILL(MemorySegment f, long a, long b, long c, long d, long e, long g, int h, long i,
            long j) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLILL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLLL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L, L);
    }

    public static long longLLLLLLLLL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, long i,
            long j) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLIIL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, I, I, L);
    }

    public static long longLLLLLLLIIL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, int i,
            int j, long k) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLIIL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLILL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, I, L, L);
    }

    public static long longLLLLLLLILL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, int i,
            long j, long k) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLILL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLIILL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, I, I, L, L);
    }

    public static long longLLLLLLLIILL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, int i,
            int j, long k, long l) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLIILL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k, l);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLLILL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L, I, L, L);
    }

    public static long longLLLLLLLLILL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, long i,
            int j, long k, long l) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLLILL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k, l);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLLIILL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L, I, I, L, L);
    }

    public static long longLLLLLLLLIILL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, long i,
            int j, int k, long l, long m) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLLIILL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k, l, m);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLLLIIL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L, L, I, I, L);
    }

    public static long longLLLLLLLLLIIL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, long i,
            long j, int k, int l, long m) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLLLIIL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k, l, m);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLLLLIIL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L, L, L, I, I, L);
    }

    public static long longLLLLLLLLLLIIL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h,
            long i, long j, long k, int l, int m, long n) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLLLLIIL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k, l, m, n);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLLLLLIIL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L, L, L, L, I, I, L);
    }

    public static long longLLLLLLLLLLLIIL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h,
            long i, long j, long k, long l, int m, int n, long o) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLLLLLIIL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k, l, m, n, o);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLLLLLLLLLLLIIL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, L, L, L, L, L, L, L, L, L, L, I, I, L);
    }

    public static long longLLLLLLLLLLLLLIIL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h,
            long i, long j, long k, long l, long m, long n, int o, int p, long q) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLLLLLLLLLLLIIL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j, k, l, m, n, o,
                    p, q);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLLI {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, L, I);
    }

    public static long longLLLI(MemorySegment f, long a, long b, long c, int d) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLLI.HANDLE.invokeExact(f, a, b, c, d);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class LongLLIIIL {
        static final MethodHandle HANDLE = Downcall.of(L, L, L, I, I, I, L);
    }

    public static long longLLIIIL(MemorySegment f, long a, long b, int c, int d, int e, long g) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LongLLIIIL.HANDLE.invokeExact(f, a, b, c, d, e, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
