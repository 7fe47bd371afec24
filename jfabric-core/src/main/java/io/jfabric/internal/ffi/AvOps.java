// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static io.jfabric.internal.ffi.Downcall.I;
import static io.jfabric.internal.ffi.Downcall.L;
import static io.jfabric.internal.ffi.Downcall.function;
import static io.jfabric.internal.ffi.Downcall.unexpected;

import io.jfabric.bindings.fi_ops_av;
import io.jfabric.bindings.fid_av;
import java.lang.invoke.MethodHandle;

/** Address vectors ({@code struct fi_ops_av}). */
public final class AvOps {
    private static final long TABLE = fid_av.ops$offset();
    private static final long INSERT = fi_ops_av.insert$offset();
    private static final long INSERTSVC = fi_ops_av.insertsvc$offset();
    private static final long INSERTSYM = fi_ops_av.insertsym$offset();
    private static final long REMOVE = fi_ops_av.remove$offset();
    private static final long LOOKUP = fi_ops_av.lookup$offset();
    private static final long STRADDR = fi_ops_av.straddr$offset();
    private static final long AV_SET = fi_ops_av.av_set$offset();
    private static final long INSERT_AUTH_KEY = fi_ops_av.insert_auth_key$offset();
    private static final long LOOKUP_AUTH_KEY = fi_ops_av.lookup_auth_key$offset();
    private static final long SET_USER_ID = fi_ops_av.set_user_id$offset();

    private static final MethodHandle INT_OF_LLLLLL = Downcall.of(I, L, L, L, L, L, L);
    private static final MethodHandle INT_OF_LLLLLLLL = Downcall.of(I, L, L, L, L, L, L, L, L);
    private static final MethodHandle INT_OF_LLLL = Downcall.of(I, L, L, L, L);
    private static final MethodHandle LONG_OF_LLLL = Downcall.of(L, L, L, L, L);
    private static final MethodHandle INT_OF_LLLLL = Downcall.of(I, L, L, L, L, L);

    private AvOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_av_insert} */
    public static int insert(long fid, long address, long count, long fiAddress, long flags, long context) {
        long f = slot(fid, INSERT);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLLL.invokeExact(function(f), fid, address, count, fiAddress, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_insertsvc} */
    public static int insertsvc(long fid, long node, long service, long fiAddress, long flags, long context) {
        long f = slot(fid, INSERTSVC);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLLL.invokeExact(function(f), fid, node, service, fiAddress, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_insertsym} */
    public static int insertsym(long fid, long node, long nodeCount, long service, long serviceCount,
            long fiAddress, long flags, long context) {
        long f = slot(fid, INSERTSYM);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLLLLL.invokeExact(function(f),
                    fid, node, nodeCount, service, serviceCount, fiAddress, flags, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_remove} */
    public static int remove(long fid, long fiAddress, long count, long flags) {
        long f = slot(fid, REMOVE);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, fiAddress, count, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_lookup} */
    public static int lookup(long fid, long fiAddress, long address, long length) {
        long f = slot(fid, LOOKUP);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, fiAddress, address, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_straddr}; null where the provider lacks it */
    public static String straddr(long fid, long address, long buffer, long length) {
        long f = slot(fid, STRADDR);
        if (f == 0) {
            return null;
        }
        try {
            return Memory.string((long) LONG_OF_LLLL.invokeExact(function(f), fid, address, buffer, length));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_set} */
    public static int avSet(long fid, long attr, long avSet, long context) {
        long f = slot(fid, AV_SET);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, attr, avSet, context);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_insert_auth_key} */
    public static int insertAuthKey(long fid, long key, long keySize, long fiAddress, long flags) {
        long f = slot(fid, INSERT_AUTH_KEY);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLLL.invokeExact(function(f), fid, key, keySize, fiAddress, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_lookup_auth_key} */
    public static int lookupAuthKey(long fid, long fiAddress, long key, long keySize) {
        long f = slot(fid, LOOKUP_AUTH_KEY);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, fiAddress, key, keySize);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code fi_av_set_user_id} */
    public static int setUserId(long fid, long fiAddress, long userId, long flags) {
        long f = slot(fid, SET_USER_ID);
        if (f == 0) {
            return -Errno.ENOSYS;
        }
        try {
            return (int) INT_OF_LLLL.invokeExact(function(f), fid, fiAddress, userId, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
