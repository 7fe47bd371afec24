// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls of functions that return nothing; see {@link CallLong}. They must exist. */
public final class CallVoid {
    private CallVoid() {
    }

    private static final class VoidL {
        static final MethodHandle HANDLE = Downcall.ofVoid(L);
    }

    public static void voidL(MemorySegment f, long a) {
        try {
            VoidL.HANDLE.invokeExact(f, a);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static final class VoidLL {
        static final MethodHandle HANDLE = Downcall.ofVoid(L, L);
    }

    public static void voidLL(MemorySegment f, long a, long b) {
        try {
            VoidLL.HANDLE.invokeExact(f, a, b);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
