// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_fabric;
import io.jfabric.bindings.fid_fabric;
import java.lang.invoke.MethodHandle;

/** What a fabric opens ({@code struct fi_ops_fabric}). */
public final class FabricOps {
    private static final long TABLE = fid_fabric.ops$offset();
    private static final long DOMAIN = fi_ops_fabric.domain$offset();
    private static final long DOMAIN2 = fi_ops_fabric.domain2$offset();
    private static final long PASSIVE_EP = fi_ops_fabric.passive_ep$offset();
    private static final long EQ_OPEN = fi_ops_fabric.eq_open$offset();
    private static final long WAIT_OPEN = fi_ops_fabric.wait_open$offset();
    private static final long TRYWAIT = fi_ops_fabric.trywait$offset();

    private static final MethodHandle INT_OF_LLLL = Downcall.of(I, L, L, L, L);
    private static final MethodHandle INT_OF_LLLLL = Downcall.of(I, L, L, L, L, L);
    private static final MethodHandle INT_OF_LLL = Downcall.of(I, L, L, L);
    private static final MethodHandle INT_OF_LLI = Downcall.of(I, L, L, I);

    private FabricOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_domain} */
    public static int domain(long fid, long info, long domain, long context) {
        long f = slot(fid, DOMAIN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, info, domain, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_domain2} with flags */
    public static int domain2(long fid, long info, long domain, long flags, long context) {
        long f = slot(fid, DOMAIN2);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLL.invokeExact(function(f), fid, info, domain, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_passive_ep} */
    public static int passiveEp(long fid, long info, long pep, long context) {
        long f = slot(fid, PASSIVE_EP);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, info, pep, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_eq_open} */
    public static int eqOpen(long fid, long attr, long eq, long context) {
        long f = slot(fid, EQ_OPEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, eq, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_wait_open} */
    public static int waitOpen(long fid, long attr, long waitSet) {
        long f = slot(fid, WAIT_OPEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, attr, waitSet);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_trywait} */
    public static int trywait(long fid, long fids, int count) {
        long f = slot(fid, TRYWAIT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLI.invokeExact(function(f), fid, fids, count);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
