// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of functions that return an {@code int}; see {@link CallLong}.
 *
 * <p>A handle is made when its signature is first called: each costs a millisecond.
 */
public final class CallInt {
    private CallInt() {
    }

    private static final class IntVoid {
        static final MethodHandle HANDLE = Downcall.of(I);
    }

    public static int intVoid(MemorySegment f) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntVoid.HANDLE.invokeExact(f);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntI {
        static final MethodHandle HANDLE = Downcall.of(I, I);
    }

    public static int intI(MemorySegment f, int a) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntI.HANDLE.invokeExact(f, a);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntII {
        static final MethodHandle HANDLE = Downcall.of(I, I, I);
    }

    public static int intII(MemorySegment f, int a, int b) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntII.HANDLE.invokeExact(f, a, b);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntL {
        static final MethodHandle HANDLE = Downcall.of(I, L);
    }

    public static int intL(MemorySegment f, long a) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntL.HANDLE.invokeExact(f, a);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLI {
        static final MethodHandle HANDLE = Downcall.of(I, L, I);
    }

    public static int intLI(MemorySegment f, long a, int b) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLI.HANDLE.invokeExact(f, a, b);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, L);
    }

    public static int intLL(MemorySegment f, long a, long b) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLL.HANDLE.invokeExact(f, a, b);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLIL {
        static final MethodHandle HANDLE = Downcall.of(I, L, I, L);
    }

    public static int intLIL(MemorySegment f, long a, int b, long c) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLIL.HANDLE.invokeExact(f, a, b, c);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLLI {
        static final MethodHandle HANDLE = Downcall.of(I, L, L, I);
    }

    public static int intLLI(MemorySegment f, long a, long b, int c) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLLI.HANDLE.invokeExact(f, a, b, c);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, L, L);
    }

    public static int intLLL(MemorySegment f, long a, long b, long c) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLLL.HANDLE.invokeExact(f, a, b, c);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLIIL {
        static final MethodHandle HANDLE = Downcall.of(I, L, I, I, L);
    }

    public static int intLIIL(MemorySegment f, long a, int b, int c, long d) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLIIL.HANDLE.invokeExact(f, a, b, c, d);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLILL {
        static final MethodHandle HANDLE = Downcall.of(I, L, I, L, L);
    }

    public static int intLILL(MemorySegment f, long a, int b, long c, long d) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLILL.HANDLE.invokeExact(f, a, b, c, d);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLLLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, L, L, L);
    }

    public static int intLLLL(MemorySegment f, long a, long b, long c, long d) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLLLL.HANDLE.invokeExact(f, a, b, c, d);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLIILL {
        static final MethodHandle HANDLE = Downcall.of(I, L, I, I, L, L);
    }

    public static int intLIILL(MemorySegment f, long a, int b, int c, long d, long e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLIILL.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLILLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, I, L, L, L);
    }

    public static int intLILLL(MemorySegment f, long a, int b, long c, long d, long e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLILLL.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLLLLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, L, L, L, L);
    }

    public static int intLLLLL(MemorySegment f, long a, long b, long c, long d, long e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLLLLL.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLLLLLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, L, L, L, L, L);
    }

    public static int intLLLLLL(MemorySegment f, long a, long b, long c, long d, long e, long g) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLLLLLLLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, L, L, L, L, L, L, L);
    }

    public static int intLLLLLLLL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, long i) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLLLLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntLLLLLLLLL {
        static final MethodHandle HANDLE = Downcall.of(I, L, L, L, L, L, L, L, L, L);
    }

    public static int intLLLLLLLLL(MemorySegment f, long a, long b, long c, long d, long e, long g, long h, long i,
            long j) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntLLLLLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g, h, i, j);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntILL {
        static final MethodHandle HANDLE = Downcall.of(I, I, L, L);
    }

    public static int intILL(MemorySegment f, int a, long b, long c) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntILL.HANDLE.invokeExact(f, a, b, c);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntIIILI {
        static final MethodHandle HANDLE = Downcall.of(I, I, I, I, L, I);
    }

    public static int intIIILI(MemorySegment f, int a, int b, int c, long d, int e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntIIILI.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntIIILL {
        static final MethodHandle HANDLE = Downcall.of(I, I, I, I, L, L);
    }

    public static int intIIILL(MemorySegment f, int a, int b, int c, long d, long e) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntIIILL.HANDLE.invokeExact(f, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntILLLLL {
        static final MethodHandle HANDLE = Downcall.of(I, I, L, L, L, L, L);
    }

    public static int intILLLLL(MemorySegment f, int a, long b, long c, long d, long e, long g) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntILLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class IntILLLLLL {
        static final MethodHandle HANDLE = Downcall.of(I, I, L, L, L, L, L, L);
    }

    public static int intILLLLLL(MemorySegment f, int a, long b, long c, long d, long e, long g, long h) {
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) IntILLLLLL.HANDLE.invokeExact(f, a, b, c, d, e, g, h);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
