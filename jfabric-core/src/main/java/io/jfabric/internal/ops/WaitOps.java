// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_wait;
import io.jfabric.bindings.fid_wait;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

/** Wait sets, deprecated in libfabric ({@code struct fi_ops_wait}). */
public final class WaitOps {
    private static final long TABLE = fid_wait.ops$offset();
    private static final long WAIT = fi_ops_wait.wait$offset();

    private WaitOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_wait} */
    public static int await(long fid, int timeout) {
        return CallInt.intLI(slot(fid, WAIT), fid, timeout);
    }
}
