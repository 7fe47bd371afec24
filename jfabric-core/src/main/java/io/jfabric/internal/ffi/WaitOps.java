// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_wait;
import io.jfabric.bindings.fid_wait;
import java.lang.invoke.MethodHandle;

/** Wait sets, deprecated in libfabric ({@code struct fi_ops_wait}). */
public final class WaitOps {
    private static final long TABLE = fid_wait.ops$offset();
    private static final long WAIT = fi_ops_wait.wait$offset();

    private static final MethodHandle INT_OF_LI = Downcall.of(I, L, I);

    private WaitOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_wait} */
    public static int await(long fid, int timeout) {
        long f = slot(fid, WAIT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LI.invokeExact(function(f), fid, timeout);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
