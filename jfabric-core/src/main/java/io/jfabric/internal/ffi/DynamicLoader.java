// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * {@code dlopen(3)} and its kin, called directly because {@link java.lang.foreign.SymbolLookup} drops the
 * reason for a failure. Nothing is ever closed: {@code dlclose} would run libfabric's destructor under live objects.
 */
public final class DynamicLoader {
    /** For {@link #symbol}: {@code RTLD_DEFAULT}, all that the process was started with, in its order of search. */
    public static final long PROCESS = 0;

    private static final int RTLD_LAZY = 1;
    private static final MemorySegment DLOPEN = function("dlopen");
    private static final MemorySegment DLSYM = function("dlsym");
    private static final MemorySegment DLERROR = function("dlerror");
    private static final MemorySegment DLADDR = function("dladdr");
    /** {@code Dl_info}: the path is the first of four pointers. */
    private static final int INFO_BYTES = 32;

    private DynamicLoader() {
    }

    private static MemorySegment function(String name) {
        return Linker.nativeLinker().defaultLookup().findOrThrow(name);
    }

    /** The handle of the library; 0 when it cannot be opened, {@link #error()} then says why. */
    public static long open(String path) {
        try (Arena arena = Arena.ofConfined()) {
            return CallLong.longLI(DLOPEN, arena.allocateFrom(path).address(), RTLD_LAZY);
        }
    }

    /** The newest version of the symbol, as {@code dlsym} gives it; 0 when the library has none. */
    public static long symbol(long library, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return CallLong.longLL(DLSYM, library, arena.allocateFrom(name).address());
        }
    }

    /** {@code dladdr(3)}: the path by which what is at an address was loaded; null if nothing was. */
    public static String fileAt(long address) {
        try (Arena arena = Arena.ofConfined()) {
            long info = arena.allocate(INFO_BYTES, 8).address();
            // an int, so the lower half counts; dlsym's signature is linked already, and to link another takes long
            return (int) CallLong.longLL(DLADDR, address, info) == 0 ? null : Memory.string(Memory.getLong(info));
        }
    }

    /** What went wrong last in this thread. */
    public static String error() {
        String text = Memory.string(CallLong.longVoid(DLERROR));
        return text == null ? "unknown reason" : text;
    }
}
