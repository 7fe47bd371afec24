// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_mr;
import io.jfabric.bindings.fid_domain;
import java.lang.invoke.MethodHandle;

/** Registers memory ({@code struct fi_ops_mr}). */
public final class MrOps {
    private static final long TABLE = fid_domain.mr$offset();
    private static final long REG = fi_ops_mr.reg$offset();
    private static final long REGV = fi_ops_mr.regv$offset();
    private static final long REGATTR = fi_ops_mr.regattr$offset();

    private static final MethodHandle INT_OF_LLLLLLLLL = Downcall.of(I, L, L, L, L, L, L, L, L, L);
    private static final MethodHandle INT_OF_LLLL = Downcall.of(I, L, L, L, L);

    private MrOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_mr_reg} */
    public static int reg(long fid, long buffer, long length, long access, long offset, long key, long flags,
            long mr, long context) {
        long f = slot(fid, REG);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLLLLLL.invokeExact(function(f),
                    fid, buffer, length, access, offset, key, flags, mr, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_mr_regv} */
    public static int regv(long fid, long iov, long count, long access, long offset, long key, long flags,
            long mr, long context) {
        long f = slot(fid, REGV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLLLLLL.invokeExact(function(f),
                    fid, iov, count, access, offset, key, flags, mr, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_mr_regattr} */
    public static int regattr(long fid, long attr, long flags, long mr) {
        long f = slot(fid, REGATTR);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, flags, mr);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
