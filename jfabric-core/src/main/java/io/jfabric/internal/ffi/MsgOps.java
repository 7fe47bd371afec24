// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_msg;
import io.jfabric.bindings.fid_ep;
import java.lang.invoke.MethodHandle;

/** Messages ({@code struct fi_ops_msg}). */
public final class MsgOps {
    private static final long TABLE = fid_ep.msg$offset();
    private static final long RECV = fi_ops_msg.recv$offset();
    private static final long RECVV = fi_ops_msg.recvv$offset();
    private static final long RECVMSG = fi_ops_msg.recvmsg$offset();
    private static final long SEND = fi_ops_msg.send$offset();
    private static final long SENDV = fi_ops_msg.sendv$offset();
    private static final long SENDMSG = fi_ops_msg.sendmsg$offset();
    private static final long INJECT = fi_ops_msg.inject$offset();
    private static final long SENDDATA = fi_ops_msg.senddata$offset();
    private static final long INJECTDATA = fi_ops_msg.injectdata$offset();

    private static final MethodHandle LONG_OF_LLLLLL = Downcall.of(L, L, L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLL = Downcall.of(L, L, L, L);
    private static final MethodHandle LONG_OF_LLLL = Downcall.of(L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLLLL = Downcall.of(L, L, L, L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLL = Downcall.of(L, L, L, L, L, L);

    private MsgOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_recv} */
    public static long recv(long fid, long buffer, long length, long desc, long source, long context) {
        long f = slot(fid, RECV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLL.invokeExact(function(f), fid, buffer, length, desc, source, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_recvv} */
    public static long recvv(long fid, long iov, long desc, long count, long source, long context) {
        long f = slot(fid, RECVV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLL.invokeExact(function(f), fid, iov, desc, count, source, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_recvmsg} */
    public static long recvmsg(long fid, long message, long flags) {
        long f = slot(fid, RECVMSG);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLL.invokeExact(function(f), fid, message, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_send} */
    public static long send(long fid, long buffer, long length, long desc, long destination, long context) {
        long f = slot(fid, SEND);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLL.invokeExact(function(f), fid, buffer, length, desc, destination, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_sendv} */
    public static long sendv(long fid, long iov, long desc, long count, long destination, long context) {
        long f = slot(fid, SENDV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLL.invokeExact(function(f), fid, iov, desc, count, destination, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_sendmsg} */
    public static long sendmsg(long fid, long message, long flags) {
        long f = slot(fid, SENDMSG);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLL.invokeExact(function(f), fid, message, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_inject} */
    public static long inject(long fid, long buffer, long length, long destination) {
        long f = slot(fid, INJECT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLL.invokeExact(function(f), fid, buffer, length, destination);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_senddata} */
    public static long senddata(long fid, long buffer, long length, long desc, long data, long destination,
            long context) {
        long f = slot(fid, SENDDATA);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLL.invokeExact(function(f),
                    fid, buffer, length, desc, data, destination, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_injectdata} */
    public static long injectdata(long fid, long buffer, long length, long data, long destination) {
        long f = slot(fid, INJECTDATA);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLL.invokeExact(function(f), fid, buffer, length, data, destination);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
