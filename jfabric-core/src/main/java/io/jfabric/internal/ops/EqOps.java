// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_eq;
import io.jfabric.bindings.fid_eq;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;

/** Event queues ({@code struct fi_ops_eq}). */
public final class EqOps {
    private static final long TABLE = fid_eq.ops$offset();
    private static final long READ = fi_ops_eq.read$offset();
    private static final long READERR = fi_ops_eq.readerr$offset();
    private static final long WRITE = fi_ops_eq.write$offset();
    private static final long SREAD = fi_ops_eq.sread$offset();
    private static final long STRERROR = fi_ops_eq.strerror$offset();

    private EqOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_eq_read} */
    public static long read(long fid, long event, long buffer, long length, long flags) {
        return CallLong.longLLLLL(slot(fid, READ), fid, event, buffer, length, flags);
    }

    /** {@code fi_eq_readerr} */
    public static long readerr(long fid, long entry, long flags) {
        return CallLong.longLLL(slot(fid, READERR), fid, entry, flags);
    }

    /** {@code fi_eq_write} */
    public static long write(long fid, int event, long buffer, long length, long flags) {
        return CallLong.longLILLL(slot(fid, WRITE), fid, event, buffer, length, flags);
    }

    /** {@code fi_eq_sread} */
    public static long sread(long fid, long event, long buffer, long length, int timeout, long flags) {
        return CallLong.longLLLLIL(slot(fid, SREAD), fid, event, buffer, length, timeout, flags);
    }

    /** {@code fi_eq_strerror}; null where the provider lacks it */
    public static String strerror(long fid, int providerErrno, long errorData, long buffer, long length) {
        MemorySegment f = slot(fid, STRERROR);
        return f == Downcall.NONE ? null
                : Memory.string(CallLong.longLILLL(f, fid, providerErrno, errorData, buffer, length));
    }
}
