// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_cntr;
import io.jfabric.bindings.fid_cntr;
import io.jfabric.internal.ffi.CallInt;
import io.jfabric.internal.ffi.CallLong;
import java.lang.foreign.MemorySegment;

/** Counters ({@code struct fi_ops_cntr}): the functions of one of them, which stay as they are. */
public final class CntrOps {
    private static final long TABLE = fid_cntr.ops$offset();
    private static final long READ = fi_ops_cntr.read$offset();
    private static final long READERR = fi_ops_cntr.readerr$offset();
    private static final long ADD = fi_ops_cntr.add$offset();
    private static final long SET = fi_ops_cntr.set$offset();
    private static final long WAIT = fi_ops_cntr.wait$offset();
    private static final long ADDERR = fi_ops_cntr.adderr$offset();
    private static final long SETERR = fi_ops_cntr.seterr$offset();

    private final MemorySegment read;
    private final MemorySegment readerr;
    private final MemorySegment add;
    private final MemorySegment set;
    private final MemorySegment await;
    private final MemorySegment adderr;
    private final MemorySegment seterr;

    public CntrOps(long fid) {
        read = OpsTable.find(fid, TABLE, READ);
        readerr = OpsTable.find(fid, TABLE, READERR);
        add = OpsTable.find(fid, TABLE, ADD);
        set = OpsTable.find(fid, TABLE, SET);
        await = OpsTable.find(fid, TABLE, WAIT);
        adderr = OpsTable.find(fid, TABLE, ADDERR);
        seterr = OpsTable.find(fid, TABLE, SETERR);
    }

    /** {@code fi_cntr_read} */
    public long read(long fid) {
        return CallLong.longL(read, fid);
    }

    /** {@code fi_cntr_readerr} */
    public long readerr(long fid) {
        return CallLong.longL(readerr, fid);
    }

    /** {@code fi_cntr_add} */
    public int add(long fid, long value) {
        return CallInt.intLL(add, fid, value);
    }

    /** {@code fi_cntr_set} */
    public int set(long fid, long value) {
        return CallInt.intLL(set, fid, value);
    }

    /** {@code fi_cntr_wait} */
    public int await(long fid, long threshold, int timeout) {
        return CallInt.intLLI(await, fid, threshold, timeout);
    }

    /** {@code fi_cntr_adderr} */
    public int adderr(long fid, long value) {
        return CallInt.intLL(adderr, fid, value);
    }

    /** {@code fi_cntr_seterr} */
    public int seterr(long fid, long value) {
        return CallInt.intLL(seterr, fid, value);
    }
}
