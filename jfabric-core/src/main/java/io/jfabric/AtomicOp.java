// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Version;

/** What an atomic or collective operation does with its operands ({@code enum fi_op}). */
public enum AtomicOp implements FabricConstant {
    /** The smaller. */
    MIN(Libfabric.FI_MIN(), FIRST),
    /** The larger. */
    MAX(Libfabric.FI_MAX(), FIRST),
    /** The sum. */
    SUM(Libfabric.FI_SUM(), FIRST),
    /** The product. */
    PROD(Libfabric.FI_PROD(), FIRST),
    /** Logical or. */
    LOR(Libfabric.FI_LOR(), FIRST),
    /** Logical and. */
    LAND(Libfabric.FI_LAND(), FIRST),
    /** Bitwise or. */
    BOR(Libfabric.FI_BOR(), FIRST),
    /** Bitwise and. */
    BAND(Libfabric.FI_BAND(), FIRST),
    /** Logical exclusive or. */
    LXOR(Libfabric.FI_LXOR(), FIRST),
    /** Bitwise exclusive or. */
    BXOR(Libfabric.FI_BXOR(), FIRST),
    /** Reads; only fetching. */
    ATOMIC_READ(Libfabric.FI_ATOMIC_READ(), FIRST),
    /** Replaces. */
    ATOMIC_WRITE(Libfabric.FI_ATOMIC_WRITE(), FIRST),
    /** Replaces if the comparand equals the target; only comparing. */
    CSWAP(Libfabric.FI_CSWAP(), FIRST),
    /** Replaces if they differ. */
    CSWAP_NE(Libfabric.FI_CSWAP_NE(), FIRST),
    /** Replaces if the comparand is less than or equal to the target. */
    CSWAP_LE(Libfabric.FI_CSWAP_LE(), FIRST),
    /** Replaces if the comparand is less than the target. */
    CSWAP_LT(Libfabric.FI_CSWAP_LT(), FIRST),
    /** Replaces if the comparand is greater than or equal to the target. */
    CSWAP_GE(Libfabric.FI_CSWAP_GE(), FIRST),
    /** Replaces if the comparand is greater than the target. */
    CSWAP_GT(Libfabric.FI_CSWAP_GT(), FIRST),
    /** Replaces the bits that are set in the comparand; only comparing. */
    MSWAP(Libfabric.FI_MSWAP(), FIRST),
    /** The difference. */
    DIFF(Libfabric.FI_DIFF(), new Version(2, 0)),
    /** Nothing; collectives only. */
    NOOP(Libfabric.FI_NOOP(), FIRST);

    private final long code;
    private final Version since;

    AtomicOp(long code, Version since) {
        this.code = code;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }

    @Override
    public Version since() {
        return since;
    }
}
