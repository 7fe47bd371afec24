// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_domain;
import io.jfabric.bindings.fid_domain;
import io.jfabric.internal.ffi.CallInt;
import java.lang.foreign.MemorySegment;

/** What a domain opens ({@code struct fi_ops_domain}). */
public final class DomainOps {
    private static final long TABLE = fid_domain.ops$offset();
    private static final long AV_OPEN = fi_ops_domain.av_open$offset();
    private static final long CQ_OPEN = fi_ops_domain.cq_open$offset();
    private static final long ENDPOINT = fi_ops_domain.endpoint$offset();
    private static final long ENDPOINT2 = fi_ops_domain.endpoint2$offset();
    private static final long SCALABLE_EP = fi_ops_domain.scalable_ep$offset();
    private static final long CNTR_OPEN = fi_ops_domain.cntr_open$offset();
    private static final long POLL_OPEN = fi_ops_domain.poll_open$offset();
    private static final long STX_CTX = fi_ops_domain.stx_ctx$offset();
    private static final long SRX_CTX = fi_ops_domain.srx_ctx$offset();
    private static final long QUERY_ATOMIC = fi_ops_domain.query_atomic$offset();
    private static final long QUERY_COLLECTIVE = fi_ops_domain.query_collective$offset();

    private DomainOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_av_open} */
    public static int avOpen(long fid, long attr, long av, long context) {
        return CallInt.intLLLL(slot(fid, AV_OPEN), fid, attr, av, context);
    }

    /** {@code fi_cq_open} */
    public static int cqOpen(long fid, long attr, long cq, long context) {
        return CallInt.intLLLL(slot(fid, CQ_OPEN), fid, attr, cq, context);
    }

    /** {@code fi_endpoint} */
    public static int endpoint(long fid, long info, long ep, long context) {
        return CallInt.intLLLL(slot(fid, ENDPOINT), fid, info, ep, context);
    }

    /** {@code fi_endpoint2} with flags */
    public static int endpoint2(long fid, long info, long ep, long flags, long context) {
        return CallInt.intLLLLL(slot(fid, ENDPOINT2), fid, info, ep, flags, context);
    }

    /** {@code fi_scalable_ep} */
    public static int scalableEp(long fid, long info, long sep, long context) {
        return CallInt.intLLLL(slot(fid, SCALABLE_EP), fid, info, sep, context);
    }

    /** {@code fi_cntr_open} */
    public static int cntrOpen(long fid, long attr, long cntr, long context) {
        return CallInt.intLLLL(slot(fid, CNTR_OPEN), fid, attr, cntr, context);
    }

    /** {@code fi_poll_open} */
    public static int pollOpen(long fid, long attr, long pollSet) {
        return CallInt.intLLL(slot(fid, POLL_OPEN), fid, attr, pollSet);
    }

    /** {@code fi_stx_context} */
    public static int stxCtx(long fid, long attr, long stx, long context) {
        return CallInt.intLLLL(slot(fid, STX_CTX), fid, attr, stx, context);
    }

    /** {@code fi_srx_context} */
    public static int srxCtx(long fid, long attr, long srx, long context) {
        return CallInt.intLLLL(slot(fid, SRX_CTX), fid, attr, srx, context);
    }

    /** {@code fi_query_atomic} */
    public static int queryAtomic(long fid, int datatype, int op, long attr, long flags) {
        return CallInt.intLIILL(slot(fid, QUERY_ATOMIC), fid, datatype, op, attr, flags);
    }

    /** {@code fi_query_collective} */
    public static int queryCollective(long fid, int collective, long attr, long flags) {
        return CallInt.intLILL(slot(fid, QUERY_COLLECTIVE), fid, collective, attr, flags);
    }
}
