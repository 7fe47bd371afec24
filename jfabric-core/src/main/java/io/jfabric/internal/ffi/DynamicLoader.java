// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * {@code dlopen(3)} and {@code dlsym(3)}, called directly because {@link java.lang.foreign.SymbolLookup} drops the
 * reason for a failure. Nothing is ever closed: {@code dlclose} would run libfabric's destructor under live objects.
 */
public final class DynamicLoader {
    /** For {@link #symbol}: {@code RTLD_DEFAULT}, all that the process was started with, in its order of search. */
    public static final long PROCESS = 0;

    private static final int RTLD_LAZY = 1;
    private static final MethodHandle DLOPEN = bound("dlopen", FunctionDescriptor.of(L, L, I));
    private static final MethodHandle DLSYM = bound("dlsym", FunctionDescriptor.of(L, L, L));
    private static final MethodHandle DLERROR = bound("dlerror", FunctionDescriptor.of(L));

    private DynamicLoader() {
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bound(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    /** The handle of the library; 0 when it cannot be opened, {@link #error()} then says why. */
    public static long open(String path) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) DLOPEN.invokeExact(arena.allocateFrom(path).address(), RTLD_LAZY);
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** The newest version of the symbol, as {@code dlsym} gives it; 0 when the library has none. */
    public static long symbol(long library, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) DLSYM.invokeExact(library, arena.allocateFrom(name).address());
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }

    /** What went wrong last in this thread. */
    public static String error() {
        try {
            String text = Memory.string((long) DLERROR.invokeExact());
            return text == null ? "unknown reason" : text;
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }
}
