// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Makes the downcall handles of the inline layer.
 *
 * <p>Every pointer is passed as a {@code long}: a handle that takes segments acquires and releases each one's scope
 * on every call. No handle is {@code critical}: a call that drives progress may block or call back.
 */
public final class Downcall {
    /** Shorthand for a {@code long}, {@code size_t}, {@code uint64_t}, {@code fi_addr_t} or any pointer. */
    public static final MemoryLayout L = JAVA_LONG;
    /** Shorthand for an {@code int}, {@code uint32_t} or any enum. */
    public static final MemoryLayout I = JAVA_INT;
    /** There is no such function. A comparison with null costs nothing where the function is called next. */
    public static final MemorySegment NONE = null;

    private Downcall() {
    }

    /** A handle without bound address; the function's address is its first parameter. */
    public static MethodHandle of(MemoryLayout result, MemoryLayout... parameters) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(result, parameters));
    }

    /** As {@link #of}, for a function that returns {@code void}. */
    public static MethodHandle ofVoid(MemoryLayout... parameters) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(parameters));
    }

    /** What calls take as the first argument; {@link #NONE} for address 0. */
    public static MemorySegment function(long address) {
        return address == 0 ? NONE : MemorySegment.ofAddress(address);
    }

    /** A downcall declares {@code Throwable} but only ever throws unchecked. */
    public static AssertionError unexpected(Throwable t) {
        if (t instanceof RuntimeException e) {
            throw e;
        }
        if (t instanceof Error e) {
            throw e;
        }
        return new AssertionError("a downcall threw a checked exception", t);
    }
}
