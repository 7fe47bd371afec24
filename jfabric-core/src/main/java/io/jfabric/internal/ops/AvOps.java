// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_av;
import io.jfabric.bindings.fid_av;
import io.jfabric.internal.ffi.CallInt;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

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

    private AvOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_av_insert} */
    public static int insert(long fid, long address, long count, long fiAddress, long flags, long context) {
        return CallInt.intLLLLLL(slot(fid, INSERT), fid, address, count, fiAddress, flags, context);
    }

    /** {@code fi_av_insertsvc} */
    public static int insertsvc(long fid, long node, long service, long fiAddress, long flags, long context) {
        return CallInt.intLLLLLL(slot(fid, INSERTSVC), fid, node, service, fiAddress, flags, context);
    }

    /** {@code fi_av_insertsym} */
    public static int insertsym(long fid, long node, long nodeCount, long service, long serviceCount,
            long fiAddress, long flags, long context) {
        return CallInt.intLLLLLLLL(slot(fid, INSERTSYM), fid, node, nodeCount, service, serviceCount, fiAddress,
                flags, context);
    }

    /** {@code fi_av_remove} */
    public static int remove(long fid, long fiAddress, long count, long flags) {
        return CallInt.intLLLL(slot(fid, REMOVE), fid, fiAddress, count, flags);
    }

    /** {@code fi_av_lookup} */
    public static int lookup(long fid, long fiAddress, long address, long length) {
        return CallInt.intLLLL(slot(fid, LOOKUP), fid, fiAddress, address, length);
    }

    /** {@code fi_av_straddr}; null where the provider lacks it */
    public static String straddr(long fid, long address, long buffer, long length) {
        MemorySegment f = slot(fid, STRADDR);
        return f == Downcall.NONE ? null : Memory.string(CallLong.longLLLL(f, fid, address, buffer, length));
    }

    /** {@code fi_av_set} */
    public static int avSet(long fid, long attr, long avSet, long context) {
        return CallInt.intLLLL(slot(fid, AV_SET), fid, attr, avSet, context);
    }

    /** {@code fi_av_insert_auth_key} */
    public static int insertAuthKey(long fid, long key, long keySize, long fiAddress, long flags) {
        return CallInt.intLLLLL(slot(fid, INSERT_AUTH_KEY), fid, key, keySize, fiAddress, flags);
    }

    /** {@code fi_av_lookup_auth_key} */
    public static int lookupAuthKey(long fid, long fiAddress, long key, long keySize) {
        return CallInt.intLLLL(slot(fid, LOOKUP_AUTH_KEY), fid, fiAddress, key, keySize);
    }

    /** {@code fi_av_set_user_id} */
    public static int setUserId(long fid, long fiAddress, long userId, long flags) {
        return CallInt.intLLLL(slot(fid, SET_USER_ID), fid, fiAddress, userId, flags);
    }
}
