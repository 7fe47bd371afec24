// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops;
import io.jfabric.bindings.fid;
import java.lang.invoke.MethodHandle;

/** What every fabric object answers ({@code struct fi_ops}). */
public final class FidOps {
    private static final long TABLE = fid.ops$offset();
    private static final long CLOSE = fi_ops.close$offset();
    private static final long BIND = fi_ops.bind$offset();
    private static final long CONTROL = fi_ops.control$offset();
    private static final long OPS_OPEN = fi_ops.ops_open$offset();
    private static final long OPS_SET = fi_ops.ops_set$offset();

    private static final MethodHandle INT_OF_L = Downcall.of(I, L);
    private static final MethodHandle INT_OF_LLL = Downcall.of(I, L, L, L);
    private static final MethodHandle INT_OF_LIL = Downcall.of(I, L, I, L);
    private static final MethodHandle INT_OF_LLLLL = Downcall.of(I, L, L, L, L, L);

    private FidOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_close} */
    public static int close(long fid) {
        long f = slot(fid, CLOSE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_L.invokeExact(function(f), fid);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_ep_bind}, {@code fi_mr_bind} and their like */
    public static int bind(long fid, long other, long flags) {
        long f = slot(fid, BIND);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, other, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_control} */
    public static int control(long fid, int command, long argument) {
        long f = slot(fid, CONTROL);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LIL.invokeExact(function(f), fid, command, argument);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_open_ops} */
    public static int openOps(long fid, long name, long flags, long ops, long context) {
        long f = slot(fid, OPS_OPEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLL.invokeExact(function(f), fid, name, flags, ops, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_set_ops} */
    public static int setOps(long fid, long name, long flags, long ops, long context) {
        long f = slot(fid, OPS_SET);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLL.invokeExact(function(f), fid, name, flags, ops, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
