// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_ep;
import io.jfabric.bindings.fid_ep;
import java.lang.invoke.MethodHandle;

/** What endpoints of all kinds answer ({@code struct fi_ops_ep}). */
public final class EpOps {
    private static final long TABLE = fid_ep.ops$offset();
    private static final long CANCEL = fi_ops_ep.cancel$offset();
    private static final long GETOPT = fi_ops_ep.getopt$offset();
    private static final long SETOPT = fi_ops_ep.setopt$offset();
    private static final long TX_CTX = fi_ops_ep.tx_ctx$offset();
    private static final long RX_CTX = fi_ops_ep.rx_ctx$offset();
    private static final long RX_SIZE_LEFT = fi_ops_ep.rx_size_left$offset();
    private static final long TX_SIZE_LEFT = fi_ops_ep.tx_size_left$offset();

    private static final MethodHandle LONG_OF_LL = Downcall.of(L, L, L);
    private static final MethodHandle INT_OF_LIILL = Downcall.of(I, L, I, I, L, L);
    private static final MethodHandle INT_OF_LILLL = Downcall.of(I, L, I, L, L, L);
    private static final MethodHandle LONG_OF_L = Downcall.of(L, L);

    private EpOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_cancel} */
    public static long cancel(long fid, long context) {
        long f = slot(fid, CANCEL);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LL.invokeExact(function(f), fid, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_getopt} */
    public static int getopt(long fid, int level, int name, long value, long length) {
        long f = slot(fid, GETOPT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LIILL.invokeExact(function(f), fid, level, name, value, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_setopt} */
    public static int setopt(long fid, int level, int name, long value, long length) {
        long f = slot(fid, SETOPT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LIILL.invokeExact(function(f), fid, level, name, value, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_tx_context} */
    public static int txCtx(long fid, int index, long attr, long ep, long context) {
        long f = slot(fid, TX_CTX);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LILLL.invokeExact(function(f), fid, index, attr, ep, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_rx_context} */
    public static int rxCtx(long fid, int index, long attr, long ep, long context) {
        long f = slot(fid, RX_CTX);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LILLL.invokeExact(function(f), fid, index, attr, ep, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_rx_size_left} */
    public static long rxSizeLeft(long fid) {
        long f = slot(fid, RX_SIZE_LEFT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_L.invokeExact(function(f), fid);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_tx_size_left} */
    public static long txSizeLeft(long fid) {
        long f = slot(fid, TX_SIZE_LEFT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_L.invokeExact(function(f), fid);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
