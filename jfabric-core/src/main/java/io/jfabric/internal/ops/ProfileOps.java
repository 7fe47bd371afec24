// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_profile_ops;
import io.jfabric.bindings.fid_profile;
import io.jfabric.internal.ffi.CallInt;
import io.jfabric.internal.ffi.CallLong;
import io.jfabric.internal.ffi.CallVoid;
import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.Errno;
import java.lang.foreign.MemorySegment;

/** A profile, from libfabric 2 on ({@code struct fi_profile_ops}). */
public final class ProfileOps {
    private static final long TABLE = fid_profile.ops$offset();
    private static final long QUERY_VARS = fi_profile_ops.query_vars$offset();
    private static final long QUERY_EVENTS = fi_profile_ops.query_events$offset();
    private static final long REG_CALLBACK = fi_profile_ops.reg_callback$offset();
    private static final long READ_VAR = fi_profile_ops.read_var$offset();

    private static final long RESET = fi_profile_ops.reset$offset();
    private static final long START_READS = fi_profile_ops.start_reads$offset();
    private static final long END_READS = fi_profile_ops.end_reads$offset();

    private ProfileOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_profile_query_vars} */
    public static long queryVars(long fid, long list, long count) {
        return CallLong.longLLL(slot(fid, QUERY_VARS), fid, list, count);
    }

    /** {@code fi_profile_query_events} */
    public static long queryEvents(long fid, long list, long count) {
        return CallLong.longLLL(slot(fid, QUERY_EVENTS), fid, list, count);
    }

    /** {@code fi_profile_read_u64} */
    public static long readVar(long fid, int variable, long data, long size) {
        return CallLong.longLILL(slot(fid, READ_VAR), fid, variable, data, size);
    }

    /** {@code fi_profile_register_callback} */
    public static int registerCallback(long fid, int event, long callback, long context) {
        return CallInt.intLILL(slot(fid, REG_CALLBACK), fid, event, callback, context);
    }

    private static int call(long fid, long offset, long flags) {
        MemorySegment f = slot(fid, offset);
        if (f == Downcall.NONE) {
            return -Errno.ENOSYS;
        }
        CallVoid.voidLL(f, fid, flags);
        return 0;
    }

    /** {@code fi_profile_reset} */
    public static int reset(long fid, long flags) {
        return call(fid, RESET, flags);
    }

    /** {@code fi_profile_start_reads} */
    public static int startReads(long fid, long flags) {
        return call(fid, START_READS, flags);
    }

    /** {@code fi_profile_end_reads} */
    public static int endReads(long fid, long flags) {
        return call(fid, END_READS, flags);
    }
}
