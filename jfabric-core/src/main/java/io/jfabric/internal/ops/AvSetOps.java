// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_av_set;
import io.jfabric.bindings.fid_av_set;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

/** Sets of addresses ({@code struct fi_ops_av_set}). */
public final class AvSetOps {
    private static final long TABLE = fid_av_set.ops$offset();
    private static final long SET_UNION = fi_ops_av_set.set_union$offset();
    private static final long INTERSECT = fi_ops_av_set.intersect$offset();
    private static final long DIFF = fi_ops_av_set.diff$offset();
    private static final long INSERT = fi_ops_av_set.insert$offset();
    private static final long REMOVE = fi_ops_av_set.remove$offset();
    private static final long ADDR = fi_ops_av_set.addr$offset();

    private AvSetOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        // libfabric's own table says that its size is 0; it has had these six functions ever since there are sets
        return OpsTable.findInFixedTable(fid, TABLE, offset);
    }

    /** {@code fi_av_set_union} */
    public static int union(long fid, long other) {
        return CallInt.intLL(slot(fid, SET_UNION), fid, other);
    }

    /** {@code fi_av_set_intersect} */
    public static int intersect(long fid, long other) {
        return CallInt.intLL(slot(fid, INTERSECT), fid, other);
    }

    /** {@code fi_av_set_diff} */
    public static int diff(long fid, long other) {
        return CallInt.intLL(slot(fid, DIFF), fid, other);
    }

    /** {@code fi_av_set_insert} */
    public static int insert(long fid, long address) {
        return CallInt.intLL(slot(fid, INSERT), fid, address);
    }

    /** {@code fi_av_set_remove} */
    public static int remove(long fid, long address) {
        return CallInt.intLL(slot(fid, REMOVE), fid, address);
    }

    /** {@code fi_av_set_addr} */
    public static int addr(long fid, long result) {
        return CallInt.intLL(slot(fid, ADDR), fid, result);
    }
}
