// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_domain;
import io.jfabric.bindings.fid_domain;
import java.lang.invoke.MethodHandle;

/** What a domain opens ({@code struct fi_ops_domain}). */
public final class DomainOps {
    private static final long TABLE = fid_domain.ops$offset();
    private static final long AV_OPEN = fi_ops_domain.av_open$offset();
    private static final long CQ_OPEN = fi_ops_domain.cq_open$offset();
    private static final long ENDPOINT = fi_ops_domain.endpoint$offset();
    private static final long ENDPOINT2 = fi_ops_domain.endpoint2$offset();
    private static final long SCALABLE_EP = fi_ops_domain.scalable_ep$offset();
    private static final long CNTR_OPEN = fi_ops_domain.cntr_open$offset();
    private static final long POLL_OPEN = fi_ops_domain.poll_open$offset();
    private static final long STX_CTX = fi_ops_domain.stx_ctx$offset();
    private static final long SRX_CTX = fi_ops_domain.srx_ctx$offset();
    private static final long QUERY_ATOMIC = fi_ops_domain.query_atomic$offset();
    private static final long QUERY_COLLECTIVE = fi_ops_domain.query_collective$offset();

    private static final MethodHandle INT_OF_LLLL = Downcall.of(I, L, L, L, L);
    private static final MethodHandle INT_OF_LLLLL = Downcall.of(I, L, L, L, L, L);
    private static final MethodHandle INT_OF_LLL = Downcall.of(I, L, L, L);
    private static final MethodHandle INT_OF_LIILL = Downcall.of(I, L, I, I, L, L);
    private static final MethodHandle INT_OF_LILL = Downcall.of(I, L, I, L, L);

    private DomainOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_av_open} */
    public static int avOpen(long fid, long attr, long av, long context) {
        long f = slot(fid, AV_OPEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, av, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cq_open} */
    public static int cqOpen(long fid, long attr, long cq, long context) {
        long f = slot(fid, CQ_OPEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, cq, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_endpoint} */
    public static int endpoint(long fid, long info, long ep, long context) {
        long f = slot(fid, ENDPOINT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, info, ep, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_endpoint2} with flags */
    public static int endpoint2(long fid, long info, long ep, long flags, long context) {
        long f = slot(fid, ENDPOINT2);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLL.invokeExact(function(f), fid, info, ep, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_scalable_ep} */
    public static int scalableEp(long fid, long info, long sep, long context) {
        long f = slot(fid, SCALABLE_EP);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, info, sep, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_cntr_open} */
    public static int cntrOpen(long fid, long attr, long cntr, long context) {
        long f = slot(fid, CNTR_OPEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, cntr, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_poll_open} */
    public static int pollOpen(long fid, long attr, long pollSet) {
        long f = slot(fid, POLL_OPEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, attr, pollSet);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_stx_context} */
    public static int stxCtx(long fid, long attr, long stx, long context) {
        long f = slot(fid, STX_CTX);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, stx, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_srx_context} */
    public static int srxCtx(long fid, long attr, long srx, long context) {
        long f = slot(fid, SRX_CTX);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, srx, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_query_atomic} */
    public static int queryAtomic(long fid, int datatype, int op, long attr, long flags) {
        long f = slot(fid, QUERY_ATOMIC);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LIILL.invokeExact(function(f), fid, datatype, op, attr, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_query_collective} */
    public static int queryCollective(long fid, int collective, long attr, long flags) {
        long f = slot(fid, QUERY_COLLECTIVE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LILL.invokeExact(function(f), fid, collective, attr, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
