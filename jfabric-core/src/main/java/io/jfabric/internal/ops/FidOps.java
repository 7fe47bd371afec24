// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops;
import io.jfabric.bindings.fid;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

/** What every fabric object answers ({@code struct fi_ops}). */
public final class FidOps {
    private static final long TABLE = fid.ops$offset();
    private static final long CLOSE = fi_ops.close$offset();
    private static final long BIND = fi_ops.bind$offset();
    private static final long CONTROL = fi_ops.control$offset();
    private static final long OPS_OPEN = fi_ops.ops_open$offset();
    private static final long OPS_SET = fi_ops.ops_set$offset();

    private FidOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_close} */
    public static int close(long fid) {
        return CallInt.intL(slot(fid, CLOSE), fid);
    }

    /** {@code fi_ep_bind}, {@code fi_mr_bind} and their like */
    public static int bind(long fid, long other, long flags) {
        return CallInt.intLLL(slot(fid, BIND), fid, other, flags);
    }

    /** {@code fi_control} */
    public static int control(long fid, int command, long argument) {
        return CallInt.intLIL(slot(fid, CONTROL), fid, command, argument);
    }

    /** {@code fi_open_ops} */
    public static int openOps(long fid, long name, long flags, long ops, long context) {
        return CallInt.intLLLLL(slot(fid, OPS_OPEN), fid, name, flags, ops, context);
    }

    /** {@code fi_set_ops} */
    public static int setOps(long fid, long name, long flags, long ops, long context) {
        return CallInt.intLLLLL(slot(fid, OPS_SET), fid, name, flags, ops, context);
    }
}
