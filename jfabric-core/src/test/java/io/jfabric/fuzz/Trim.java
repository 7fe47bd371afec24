// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Gives what the C library's allocator keeps for later back to the kernel, so that what is left was not freed. */
final class Trim {
    private static final MethodHandle TRIM = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("malloc_trim"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

    private Trim() {
    }

    static void all() {
        try {
            int ignored = (int) TRIM.invokeExact(0L);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
