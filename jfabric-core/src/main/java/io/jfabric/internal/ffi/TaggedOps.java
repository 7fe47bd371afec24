// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_tagged;
import io.jfabric.bindings.fid_ep;
import java.lang.invoke.MethodHandle;

/** Tagged messages ({@code struct fi_ops_tagged}). */
public final class TaggedOps {
    private static final long TABLE = fid_ep.tagged$offset();
    private static final long RECV = fi_ops_tagged.recv$offset();
    private static final long RECVV = fi_ops_tagged.recvv$offset();
    private static final long RECVMSG = fi_ops_tagged.recvmsg$offset();
    private static final long SEND = fi_ops_tagged.send$offset();
    private static final long SENDV = fi_ops_tagged.sendv$offset();
    private static final long SENDMSG = fi_ops_tagged.sendmsg$offset();
    private static final long INJECT = fi_ops_tagged.inject$offset();
    private static final long SENDDATA = fi_ops_tagged.senddata$offset();
    private static final long INJECTDATA = fi_ops_tagged.injectdata$offset();

    private static final MethodHandle LONG_OF_LLLLLLLL = Downcall.of(L, L, L, L, L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLL = Downcall.of(L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLLLL = Downcall.of(L, L, L, L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLL = Downcall.of(L, L, L, L, L, L);
    private static final MethodHandle LONG_OF_LLLLLL = Downcall.of(L, L, L, L, L, L, L);

    private TaggedOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_trecv} */
    public static long recv(long fid, long buffer, long length, long desc, long source, long tag,
            long ignore,
            long context) {
        long f = slot(fid, RECV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLL.invokeExact(function(f),
                    fid, buffer, length, desc, source, tag, ignore, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_trecvv} */
    public static long recvv(long fid, long iov, long desc, long count, long source, long tag, long ignore,
            long context) {
        long f = slot(fid, RECVV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLL.invokeExact(function(f), fid, iov, desc, count, source, tag,
            ignore, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_trecvmsg} */
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

    /** {@code fi_tsend} */
    public static long send(long fid, long buffer, long length, long desc, long destination, long tag, long context) {
        long f = slot(fid, SEND);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLL.invokeExact(function(f), fid, buffer, length, desc, destination,
            tag, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_tsendv} */
    public static long sendv(long fid, long iov, long desc, long count, long destination, long tag, long context) {
        long f = slot(fid, SENDV);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLL.invokeExact(function(f), fid, iov, desc, count, destination, tag, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_tsendmsg} */
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

    /** {@code fi_tinject} */
    public static long inject(long fid, long buffer, long length, long destination, long tag) {
        long f = slot(fid, INJECT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLL.invokeExact(function(f), fid, buffer, length, destination, tag);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_tsenddata} */
    public static long senddata(long fid, long buffer, long length, long desc, long data, long destination,
            long tag,
            long context) {
        long f = slot(fid, SENDDATA);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLLLL.invokeExact(function(f),
                    fid, buffer, length, desc, data, destination, tag, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_tinjectdata} */
    public static long injectdata(long fid, long buffer, long length, long data, long destination, long tag) {
        long f = slot(fid, INJECTDATA);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (long) LONG_OF_LLLLLL.invokeExact(function(f), fid, buffer, length, data, destination, tag);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
