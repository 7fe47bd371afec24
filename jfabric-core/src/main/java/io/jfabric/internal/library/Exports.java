// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.internal.ffi.CallInt;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.CallVoid;
import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/** The functions that libfabric exports; all others are calls through ops tables. */
public final class Exports {
    private Exports() {
    }

    // Resolved lazily so that fi_version can be asked before the library is accepted.
    private static final class Symbols {
        static final MemorySegment GETINFO = function("fi_getinfo");
        static final MemorySegment FREEINFO = function("fi_freeinfo");
        static final MemorySegment DUPINFO = function("fi_dupinfo");
        static final MemorySegment FABRIC = function("fi_fabric");
        static final MemorySegment FABRIC2 = function("fi_fabric2");
        static final MemorySegment OPEN = function("fi_open");
        static final MemorySegment STRERROR = function("fi_strerror");
        static final MemorySegment TOSTR_R = function("fi_tostr_r");
        static final MemorySegment GETPARAMS = function("fi_getparams");
        static final MemorySegment FREEPARAMS = function("fi_freeparams");
        static final MemorySegment PARAM_DEFINE = function("fi_param_define");
        static final MemorySegment PARAM_GET = function("fi_param_get");

        private static MemorySegment function(String name) {
            return Downcall.function(NativeLibrary.symbol(name));
        }
    }

    static int version(long symbol) {
        return CallInt.intVoid(Downcall.function(symbol));
    }

    public static int getinfo(int version, long node, long service, long flags, long hints, long info) {
        return CallInt.intILLLLL(Symbols.GETINFO, version, node, service, flags, hints, info);
    }

    public static void freeinfo(long info) {
        CallVoid.voidL(Symbols.FREEINFO, info);
    }

    /** A copy of {@code info}; of 0, an empty one ({@code fi_allocinfo}). */
    public static long dupinfo(long info) {
        long copy = CallLong.longL(Symbols.DUPINFO, info);
        if (copy == 0) {
            throw new OutOfMemoryError("fi_dupinfo: the C heap is exhausted");
        }
        return copy;
    }

    public static int fabric(long attr, long fabric, long context) {
        return CallInt.intLLL(Symbols.FABRIC, attr, fabric, context);
    }

    /** Since 2.0; {@code -FI_ENOSYS} before. */
    public static int fabric2(long info, long fabric, long flags, long context) {
        return CallInt.intLLLL(Symbols.FABRIC2, info, fabric, flags, context);
    }

    public static int open(int version, long name, long attr, long attrLength, long flags, long fid, long context) {
        return CallInt.intILLLLLL(Symbols.OPEN, version, name, attr, attrLength, flags, fid, context);
    }

    public static String strerror(int errno) {
        return Memory.string(CallLong.longI(Symbols.STRERROR, errno));
    }

    public static void tostr(long buffer, long length, long data, int type) {
        CallLong.longLLLI(Symbols.TOSTR_R, buffer, length, data, type);
    }

    public static int getparams(long params, long count) {
        return CallInt.intLL(Symbols.GETPARAMS, params, count);
    }

    /** Only after {@link #getparams}. The text is a format, but no arguments follow it here. */
    static int paramDefine(long provider, long name, int type, long help) {
        return CallInt.intLLLL(Symbols.PARAM_DEFINE, provider, name, type, help);
    }

    static int paramGet(long provider, long name, long value) {
        return CallInt.intLLL(Symbols.PARAM_GET, provider, name, value);
    }

    /** Does nothing for 0, on which C would crash. */
    public static void freeparams(long params) {
        if (params == 0) {
            return;
        }
        CallVoid.voidL(Symbols.FREEPARAMS, params);
    }
}
