// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import io.jfabric.bindings.fi_ops_ep;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.CallInt;
import io.jfabric.internal.ffi.CallLong;
import java.lang.foreign.MemorySegment;

/** What endpoints of all kinds answer ({@code struct fi_ops_ep}). */
public final class EpOps {
    private static final long TABLE = fid_ep.ops$offset();
    private static final long CANCEL = fi_ops_ep.cancel$offset();
    private static final long GETOPT = fi_ops_ep.getopt$offset();
    private static final long SETOPT = fi_ops_ep.setopt$offset();
    private static final long TX_CTX = fi_ops_ep.tx_ctx$offset();
    private static final long RX_CTX = fi_ops_ep.rx_ctx$offset();
    private static final long RX_SIZE_LEFT = fi_ops_ep.rx_size_left$offset();
    private static final long TX_SIZE_LEFT = fi_ops_ep.tx_size_left$offset();

    private EpOps() {
    }

    private static MemorySegment slot(long fid, long offset) {
        return OpsTable.find(fid, TABLE, offset);
    }

    /** {@code fi_cancel} */
    public static long cancel(long fid, long context) {
        return CallLong.longLL(slot(fid, CANCEL), fid, context);
    }

    /** {@code fi_getopt} */
    public static int getopt(long fid, int level, int name, long value, long length) {
        return CallInt.intLIILL(slot(fid, GETOPT), fid, level, name, value, length);
    }

    /** {@code fi_setopt} */
    public static int setopt(long fid, int level, int name, long value, long length) {
        return CallInt.intLIILL(slot(fid, SETOPT), fid, level, name, value, length);
    }

    /** {@code fi_tx_context} */
    public static int txCtx(long fid, int index, long attr, long ep, long context) {
        return CallInt.intLILLL(slot(fid, TX_CTX), fid, index, attr, ep, context);
    }

    /** {@code fi_rx_context} */
    public static int rxCtx(long fid, int index, long attr, long ep, long context) {
        return CallInt.intLILLL(slot(fid, RX_CTX), fid, index, attr, ep, context);
    }

    /** {@code fi_rx_size_left} */
    public static long rxSizeLeft(long fid) {
        return CallLong.longL(slot(fid, RX_SIZE_LEFT), fid);
    }

    /** {@code fi_tx_size_left} */
    public static long txSizeLeft(long fid) {
        return CallLong.longL(slot(fid, TX_SIZE_LEFT), fid);
    }
}
