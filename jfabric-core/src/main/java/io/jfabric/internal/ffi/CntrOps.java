// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import io.jfabric.bindings.fi_ops_cntr;
import io.jfabric.bindings.fid_cntr;

/** Counters ({@code struct fi_ops_cntr}). */
public final class CntrOps {
    private static final long TABLE = fid_cntr.ops$offset();
    private static final long READ = fi_ops_cntr.read$offset();
    private static final long READERR = fi_ops_cntr.readerr$offset();
    private static final long ADD = fi_ops_cntr.add$offset();
    private static final long SET = fi_ops_cntr.set$offset();
    private static final long WAIT = fi_ops_cntr.wait$offset();
    private static final long ADDERR = fi_ops_cntr.adderr$offset();
    private static final long SETERR = fi_ops_cntr.seterr$offset();

    private CntrOps() {
    }

    private static long slot(long fid, long offset) {
        return Slots.find(fid, TABLE, offset);
    }

    /** {@code fi_cntr_read} */
    public static long read(long fid) {
        return CallLong.longL(slot(fid, READ), fid);
    }

    /** {@code fi_cntr_readerr} */
    public static long readerr(long fid) {
        return CallLong.longL(slot(fid, READERR), fid);
    }

    /** {@code fi_cntr_add} */
    public static int add(long fid, long value) {
        return CallInt.intLL(slot(fid, ADD), fid, value);
    }

    /** {@code fi_cntr_set} */
    public static int set(long fid, long value) {
        return CallInt.intLL(slot(fid, SET), fid, value);
    }

    /** {@code fi_cntr_wait} */
    public static int await(long fid, long threshold, int timeout) {
        return CallInt.intLLI(slot(fid, WAIT), fid, threshold, timeout);
    }

    /** {@code fi_cntr_adderr} */
    public static int adderr(long fid, long value) {
        return CallInt.intLL(slot(fid, ADDERR), fid, value);
    }

    /** {@code fi_cntr_seterr} */
    public static int seterr(long fid, long value) {
        return CallInt.intLL(slot(fid, SETERR), fid, value);
    }
}
