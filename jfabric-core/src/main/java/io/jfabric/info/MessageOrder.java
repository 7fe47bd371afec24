// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;

/**
 * Which operations stay in order at the target ({@code msg_order}): the first letter is the operation that must not
 * overtake the one of the last letter.
 */
public enum MessageOrder implements FabricConstant {
    /** Read after read. */
    RAR(Libfabric.FI_ORDER_RAR()),
    /** Read after write. */
    RAW(Libfabric.FI_ORDER_RAW()),
    /** Read after send. */
    RAS(Libfabric.FI_ORDER_RAS()),
    /** Write after read. */
    WAR(Libfabric.FI_ORDER_WAR()),
    /** Write after write. */
    WAW(Libfabric.FI_ORDER_WAW()),
    /** Write after send. */
    WAS(Libfabric.FI_ORDER_WAS()),
    /** Send after read. */
    SAR(Libfabric.FI_ORDER_SAR()),
    /** Send after write. */
    SAW(Libfabric.FI_ORDER_SAW()),
    /** Send after send. */
    SAS(Libfabric.FI_ORDER_SAS()),
    /** RMA read after RMA read. */
    RMA_RAR(Libfabric.FI_ORDER_RMA_RAR()),
    /** RMA read after RMA write. */
    RMA_RAW(Libfabric.FI_ORDER_RMA_RAW()),
    /** RMA write after RMA read. */
    RMA_WAR(Libfabric.FI_ORDER_RMA_WAR()),
    /** RMA write after RMA write. */
    RMA_WAW(Libfabric.FI_ORDER_RMA_WAW()),
    /** Atomic read after atomic read. */
    ATOMIC_RAR(Libfabric.FI_ORDER_ATOMIC_RAR()),
    /** Atomic read after atomic write. */
    ATOMIC_RAW(Libfabric.FI_ORDER_ATOMIC_RAW()),
    /** Atomic write after atomic read. */
    ATOMIC_WAR(Libfabric.FI_ORDER_ATOMIC_WAR()),
    /** Atomic write after atomic write. */
    ATOMIC_WAW(Libfabric.FI_ORDER_ATOMIC_WAW());

    private final long code;

    MessageOrder(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_ORDER_" + name();
    }
}
