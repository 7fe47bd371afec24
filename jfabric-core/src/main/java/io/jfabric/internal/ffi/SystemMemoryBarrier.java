// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * Whether the JVM runs with {@code -XX:+UseSystemMemoryBarrier}, without which every call into native code has a fence.
 * Asks the kernel: with the flag the process is registered for membarrier(2), without it most likely not. Asking the
 * JVM would load its management classes.
 */
public final class SystemMemoryBarrier {
    private static final int PRIVATE_EXPEDITED = 1 << 3;

    private SystemMemoryBarrier() {
    }

    /** False where it is known to be off. */
    public static boolean mayBeOn() {
        long number = switch (System.getProperty("os.arch")) {
            case "amd64" -> 324;
            case "aarch64", "riscv64" -> 283;
            case "ppc64le" -> 365;
            default -> 0;
        };
        if (number == 0) {
            return true;
        }
        MemorySegment syscall = Linker.nativeLinker().defaultLookup().findOrThrow("syscall");
        try {
            // in a process that is not registered: EPERM
            return (long) Linker.nativeLinker().downcallHandle(syscall, FunctionDescriptor.of(L, L, I, I, I),
                    Linker.Option.firstVariadicArg(1)).invokeExact(number, PRIVATE_EXPEDITED, 0, 0) == 0;
        } catch (Throwable t) {
            throw Downcall.unexpected(t);
        }
    }
}
