// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_cm;
import io.jfabric.bindings.fid_ep;
import java.lang.invoke.MethodHandle;

/** Names and connections ({@code struct fi_ops_cm}). */
public final class CmOps {
    private static final long TABLE = fid_ep.cm$offset();
    private static final long SETNAME = fi_ops_cm.setname$offset();
    private static final long GETNAME = fi_ops_cm.getname$offset();
    private static final long GETPEER = fi_ops_cm.getpeer$offset();
    private static final long CONNECT = fi_ops_cm.connect$offset();
    private static final long LISTEN = fi_ops_cm.listen$offset();
    private static final long ACCEPT = fi_ops_cm.accept$offset();
    private static final long REJECT = fi_ops_cm.reject$offset();
    private static final long SHUTDOWN = fi_ops_cm.shutdown$offset();
    private static final long JOIN = fi_ops_cm.join$offset();

    private static final MethodHandle INT_OF_LLL = Downcall.of(I, L, L, L);
    private static final MethodHandle INT_OF_LLLL = Downcall.of(I, L, L, L, L);
    private static final MethodHandle INT_OF_L = Downcall.of(I, L);
    private static final MethodHandle INT_OF_LL = Downcall.of(I, L, L);
    private static final MethodHandle INT_OF_LLLLL = Downcall.of(I, L, L, L, L, L);

    private CmOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_setname} */
    public static int setname(long fid, long address, long length) {
        long f = slot(fid, SETNAME);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, address, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_getname} */
    public static int getname(long fid, long address, long length) {
        long f = slot(fid, GETNAME);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, address, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_getpeer} */
    public static int getpeer(long fid, long address, long length) {
        long f = slot(fid, GETPEER);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, address, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_connect} */
    public static int connect(long fid, long address, long data, long length) {
        long f = slot(fid, CONNECT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, address, data, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_listen} */
    public static int listen(long fid) {
        long f = slot(fid, LISTEN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_L.invokeExact(function(f), fid);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_accept} */
    public static int accept(long fid, long data, long length) {
        long f = slot(fid, ACCEPT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLL.invokeExact(function(f), fid, data, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_reject} */
    public static int reject(long fid, long handle, long data, long length) {
        long f = slot(fid, REJECT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, handle, data, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_shutdown} */
    public static int shutdown(long fid, long flags) {
        long f = slot(fid, SHUTDOWN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LL.invokeExact(function(f), fid, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_join} */
    public static int join(long fid, long address, long flags, long mc, long context) {
        long f = slot(fid, JOIN);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLL.invokeExact(function(f), fid, address, flags, mc, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
