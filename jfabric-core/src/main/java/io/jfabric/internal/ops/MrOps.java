// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_mr;
import io.jfabric.bindings.fid_domain;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

/** Registers memory ({@code struct fi_ops_mr}). */
public final class MrOps {
    private static final long TABLE = fid_domain.mr$offset();
    private static final long REG = fi_ops_mr.reg$offset();
    private static final long REGV = fi_ops_mr.regv$offset();
    private static final long REGATTR = fi_ops_mr.regattr$offset();

    private MrOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_mr_reg} */
    public static int reg(long fid, long buffer, long length, long access, long offset, long key, long flags,
            long mr, long context) {
        return CallInt.intLLLLLLLLL(slot(fid, REG), fid, buffer, length, access, offset, key, flags, mr, context);
    }

    /** {@code fi_mr_regv} */
    public static int regv(long fid, long iov, long count, long access, long offset, long key, long flags,
            long mr, long context) {
        return CallInt.intLLLLLLLLL(slot(fid, REGV), fid, iov, count, access, offset, key, flags, mr, context);
    }

    /** {@code fi_mr_regattr} */
    public static int regattr(long fid, long attr, long flags, long mr) {
        return CallInt.intLLLL(slot(fid, REGATTR), fid, attr, flags, mr);
    }
}
