// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_cm;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

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

    private CmOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_setname} */
    public static int setname(long fid, long address, long length) {
        return CallInt.intLLL(slot(fid, SETNAME), fid, address, length);
    }

    /** {@code fi_getname} */
    public static int getname(long fid, long address, long length) {
        return CallInt.intLLL(slot(fid, GETNAME), fid, address, length);
    }

    /** {@code fi_getpeer} */
    public static int getpeer(long fid, long address, long length) {
        return CallInt.intLLL(slot(fid, GETPEER), fid, address, length);
    }

    /** {@code fi_connect} */
    public static int connect(long fid, long address, long data, long length) {
        return CallInt.intLLLL(slot(fid, CONNECT), fid, address, data, length);
    }

    /** {@code fi_listen} */
    public static int listen(long fid) {
        return CallInt.intL(slot(fid, LISTEN), fid);
    }

    /** {@code fi_accept} */
    public static int accept(long fid, long data, long length) {
        return CallInt.intLLL(slot(fid, ACCEPT), fid, data, length);
    }

    /** {@code fi_reject} */
    public static int reject(long fid, long handle, long data, long length) {
        return CallInt.intLLLL(slot(fid, REJECT), fid, handle, data, length);
    }

    /** {@code fi_shutdown} */
    public static int shutdown(long fid, long flags) {
        return CallInt.intLL(slot(fid, SHUTDOWN), fid, flags);
    }

    /** {@code fi_join} */
    public static int join(long fid, long address, long flags, long mc, long context) {
        return CallInt.intLLLLL(slot(fid, JOIN), fid, address, flags, mc, context);
    }
}
