// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_fabric;
import io.jfabric.bindings.fid_fabric;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

/** What a fabric opens ({@code struct fi_ops_fabric}). */
public final class FabricOps {
    private static final long TABLE = fid_fabric.ops$offset();
    private static final long DOMAIN = fi_ops_fabric.domain$offset();
    private static final long DOMAIN2 = fi_ops_fabric.domain2$offset();
    private static final long PASSIVE_EP = fi_ops_fabric.passive_ep$offset();
    private static final long EQ_OPEN = fi_ops_fabric.eq_open$offset();
    private static final long WAIT_OPEN = fi_ops_fabric.wait_open$offset();
    private static final long TRYWAIT = fi_ops_fabric.trywait$offset();

    private FabricOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_domain} */
    public static int domain(long fid, long info, long domain, long context) {
        return CallInt.intLLLL(slot(fid, DOMAIN), fid, info, domain, context);
    }

    /** {@code fi_domain2} with flags */
    public static int domain2(long fid, long info, long domain, long flags, long context) {
        return CallInt.intLLLLL(slot(fid, DOMAIN2), fid, info, domain, flags, context);
    }

    /** {@code fi_passive_ep} */
    public static int passiveEp(long fid, long info, long pep, long context) {
        return CallInt.intLLLL(slot(fid, PASSIVE_EP), fid, info, pep, context);
    }

    /** {@code fi_eq_open} */
    public static int eqOpen(long fid, long attr, long eq, long context) {
        return CallInt.intLLLL(slot(fid, EQ_OPEN), fid, attr, eq, context);
    }

    /** {@code fi_wait_open} */
    public static int waitOpen(long fid, long attr, long waitSet) {
        return CallInt.intLLL(slot(fid, WAIT_OPEN), fid, attr, waitSet);
    }

    /** {@code fi_trywait} */
    public static int trywait(long fid, long fids, int count) {
        return CallInt.intLLI(slot(fid, TRYWAIT), fid, fids, count);
    }
}
