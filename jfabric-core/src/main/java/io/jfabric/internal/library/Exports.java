// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import java.lang.invoke.MethodHandle;

/** The functions that libfabric exports; all others are calls through ops tables. */
public final class Exports {
    private static final MethodHandle VERSION = Downcall.of(I);
    private static final MethodHandle GETINFO = Downcall.of(I, I, L, L, L, L, L);
    private static final MethodHandle POINTER_TO_POINTER = Downcall.of(L, L);
    private static final MethodHandle POINTER_TO_VOID = Downcall.ofVoid(L);
    private static final MethodHandle FABRIC = Downcall.of(I, L, L, L);
    private static final MethodHandle FABRIC2 = Downcall.of(I, L, L, L, L);
    private static final MethodHandle OPEN = Downcall.of(I, I, L, L, L, L, L, L);
    private static final MethodHandle STRERROR = Downcall.of(L, I);
    private static final MethodHandle TOSTR_R = Downcall.of(L, L, L, L, I);
    private static final MethodHandle GETPARAMS = Downcall.of(I, L, L);

    private Exports() {
    }

    // Resolved lazily so that fi_version can be asked before the library is accepted.
    private static final class Symbols {
        static final long GETINFO = NativeLibrary.symbol("fi_getinfo");
        static final long FREEINFO = NativeLibrary.symbol("fi_freeinfo");
        static final long DUPINFO = NativeLibrary.symbol("fi_dupinfo");
        static final long FABRIC = NativeLibrary.symbol("fi_fabric");
        static final long FABRIC2 = NativeLibrary.symbol("fi_fabric2");
        static final long OPEN = NativeLibrary.symbol("fi_open");
        static final long STRERROR = NativeLibrary.symbol("fi_strerror");
        static final long TOSTR_R = NativeLibrary.symbol("fi_tostr_r");
        static final long GETPARAMS = NativeLibrary.symbol("fi_getparams");
        static final long FREEPARAMS = NativeLibrary.symbol("fi_freeparams");
    }

    static int version(long symbol) {
        try {
            return (int) VERSION.invokeExact(function(symbol));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    public static int getinfo(int version, long node, long service, long flags, long hints, long info) {
        try {
            return (int) GETINFO.invokeExact(function(Symbols.GETINFO), version, node, service, flags, hints, info);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    public static void freeinfo(long info) {
        try {
            POINTER_TO_VOID.invokeExact(function(Symbols.FREEINFO), info);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A copy of {@code info}; of 0, an empty one ({@code fi_allocinfo}). */
    public static long dupinfo(long info) {
        try {
            long copy = (long) POINTER_TO_POINTER.invokeExact(function(Symbols.DUPINFO), info);
            if (copy == 0) {
                throw new OutOfMemoryError("fi_dupinfo: the C heap is exhausted");
            }
            return copy;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    public static int fabric(long attr, long fabric, long context) {
        try {
            return (int) FABRIC.invokeExact(function(Symbols.FABRIC), attr, fabric, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Since 2.0; {@code -FI_ENOSYS} before. */
    public static int fabric2(long info, long fabric, long flags, long context) {
        if (Symbols.FABRIC2 == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) FABRIC2.invokeExact(function(Symbols.FABRIC2), info, fabric, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    public static int open(int version, long name, long attr, long attrLength, long flags, long fid, long context) {
        try {
            return (int) OPEN.invokeExact(function(Symbols.OPEN), version, name, attr, attrLength, flags, fid,
                    context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    public static String strerror(int errno) {
        try {
            return Memory.string((long) STRERROR.invokeExact(function(Symbols.STRERROR), errno));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    public static void tostr(long buffer, long length, long data, int type) {
        try {
            long ignored = (long) TOSTR_R.invokeExact(function(Symbols.TOSTR_R), buffer, length, data, type);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    public static int getparams(long params, long count) {
        try {
            return (int) GETPARAMS.invokeExact(function(Symbols.GETPARAMS), params, count);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Does nothing for 0, on which C would crash. */
    public static void freeparams(long params) {
        if (params == 0) {
            return;
        }
        try {
            POINTER_TO_VOID.invokeExact(function(Symbols.FREEPARAMS), params);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
