// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_atomic;
import io.jfabric.bindings.fid_ep;
import java.lang.invoke.MethodHandle;

/** Atomic operations ({@code struct fi_ops_atomic}). */
public final class AtomicOps {
    private static final long TABLE = fid_ep.atomic$offset();
    private static final long WRITE = fi_ops_atomic.write$offset();
    private static final long WRITEV = fi_ops_atomic.writev$offset();
    private static final long WRITEMSG = fi_ops_atomic.writemsg$offset();
    private static final long INJECT = fi_ops_atomic.inject$offset();
    private static final long READWRITE = fi_ops_atomic.readwrite$offset();
    private static final long READWRITEV = fi_ops_atomic.readwritev$offset();
    private static final long READWRITEMSG = fi_ops_atomic.readwritemsg$offset();
    private static final long COMPWRITE = fi_ops_atomic.compwrite$offset();
    private static final long COMPWRITEV = fi_ops_atomic.compwritev$offset();
    private static final long COMPWRITEMSG = fi_ops_atomic.compwritemsg$offset();
    private static final long WRITEVALID = fi_ops_atomic.writevalid$offset();
    private static final long READWRITEVALID = fi_ops_atomic.readwritevalid$offset();
    private static final long COMPWRITEVALID = fi_ops_atomic.compwritevalid$offset();

    private static final MethodHandle LONG_OF_LLLLLLLIIL = Downcall.of(L, L, L, L, L, L, L, L, I, I, L);
    private static final MethodHandle LONG_OF_LLL = Downcall.of(L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLLLII = Downcall.of(L, L, L, L, L, L, L, I, I);
    private static final MethodHandle LONG_OF_LLLLLLLLLIIL = Downcall.of(L, L, L, L, L, L, L, L, L, L, I, I, L);
    private static final MethodHandle LONG_OF_LLLLLLLLLLIIL = Downcall.of(L, L, L, L, L, L, L, L, L, L, L, I, I, L);
    private static final MethodHandle LONG_OF_LLLLLL = Downcall.of(L, L, L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLLLLLLLLIIL = Downcall.of(L, L, L, L, L, L, L, L, L, L, L, L, I, I, L);
    private static final MethodHandle LONG_OF_LLLLLLLLLLLLLIIL =
            Downcall.of(L, L, L, L, L, L, L, L, L, L, L, L, L, L, I, I, L);
    private static final MethodHandle LONG_OF_LLLLLLLLL = Downcall.of(L, L, L, L, L, L, L, L, L, L);
    private static final MethodHandle INT_OF_LIIL = Downcall.of(I, L, I, I, L);

    private AtomicOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_atomic} */
    public static long write(long fid, long buffer, long count, long desc, long destination, long address,
            long key, int datatype, int op, long context) {
        long f = slot(fid, WRITE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLIIL.invokeExact(function(f),
                    fid, buffer, count, desc, destination, address, key, datatype, op, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_atomicv} */
    public static long writev(long fid, long ioc, long desc, long count, long destination, long address,
            long key, int datatype, int op, long context) {
        long f = slot(fid, WRITEV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLIIL.invokeExact(function(f),
                    fid, ioc, desc, count, destination, address, key, datatype, op, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_atomicmsg} */
    public static long writemsg(long fid, long message, long flags) {
        long f = slot(fid, WRITEMSG);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLL.invokeExact(function(f), fid, message, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_inject_atomic} */
    public static long inject(long fid, long buffer, long count, long destination, long address, long key,
            int datatype, int op) {
        long f = slot(fid, INJECT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLII.invokeExact(function(f),
                    fid, buffer, count, destination, address, key, datatype, op);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_fetch_atomic} */
    public static long readwrite(long fid, long buffer, long count, long desc, long result, long resultDesc,
            long destination, long address, long key, int datatype, int op, long context) {
        long f = slot(fid, READWRITE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLLIIL.invokeExact(function(f),
                    fid, buffer, count, desc, result, resultDesc, destination, address, key, datatype, op, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_fetch_atomicv} */
    public static long readwritev(long fid, long ioc, long desc, long count, long result, long resultDesc,
            long resultCount, long destination, long address, long key, int datatype, int op, long context) {
        long f = slot(fid, READWRITEV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLLLIIL.invokeExact(function(f),
                    fid, ioc, desc, count, result, resultDesc, resultCount, destination, address, key, datatype, op,
                    context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_fetch_atomicmsg} */
    public static long readwritemsg(long fid, long message, long result, long resultDesc, long resultCount,
            long flags) {
        long f = slot(fid, READWRITEMSG);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLL.invokeExact(function(f), fid, message, result, resultDesc, resultCount, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_compare_atomic} */
    public static long compwrite(long fid, long buffer, long count, long desc, long compare,
            long compareDesc, long result, long resultDesc, long destination, long address, long key, int datatype,
            int op, long context) {
        long f = slot(fid, COMPWRITE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLLLLIIL.invokeExact(function(f),
                    fid, buffer, count, desc, compare, compareDesc, result, resultDesc, destination, address, key,
                    datatype, op, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_compare_atomicv} */
    public static long compwritev(long fid, long ioc, long desc, long count, long compare, long compareDesc,
            long compareCount, long result, long resultDesc, long resultCount, long destination, long address,
            long key, int datatype, int op, long context) {
        long f = slot(fid, COMPWRITEV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLLLLLLIIL.invokeExact(function(f),
                    fid, ioc, desc, count, compare, compareDesc, compareCount, result, resultDesc, resultCount,
                    destination, address, key, datatype, op, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_compare_atomicmsg} */
    public static long compwritemsg(long fid, long message, long compare, long compareDesc,
            long compareCount, long result, long resultDesc, long resultCount, long flags) {
        long f = slot(fid, COMPWRITEMSG);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLLL.invokeExact(function(f),
                    fid, message, compare, compareDesc, compareCount, result, resultDesc, resultCount, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_atomicvalid} */
    public static int writevalid(long fid, int datatype, int op, long count) {
        long f = slot(fid, WRITEVALID);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LIIL.invokeExact(function(f), fid, datatype, op, count);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_fetch_atomicvalid} */
    public static int readwritevalid(long fid, int datatype, int op, long count) {
        long f = slot(fid, READWRITEVALID);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LIIL.invokeExact(function(f), fid, datatype, op, count);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_compare_atomicvalid} */
    public static int compwritevalid(long fid, int datatype, int op, long count) {
        long f = slot(fid, COMPWRITEVALID);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LIIL.invokeExact(function(f), fid, datatype, op, count);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
