// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import io.jfabric.bindings.fi_domain_attr;

/**
 * What releases have added since 2.1, whose headers the bindings are made from. Only what is released: numbers of a
 * development branch may change, and pass through jfabric as unknown bits and values.
 */
public final class Newer {
    /** {@code FI_RESCAN}, since 2.2. */
    public static final long RESCAN = 1L << 35;
    /** {@code FI_FIREWALL_ADDR}, since 2.2. */
    public static final long FIREWALL_ADDR = 1L << 42;
    /** {@code FI_OPT_FIREWALL_ADDR}, since 2.2. */
    public static final int OPT_FIREWALL_ADDR = 20;
    /** {@code FI_EFIREWALLADDR}, since 2.2. */
    public static final int EFIREWALLADDR = 271;
    /** {@code FI_SOCKADDR_IP}, since 2.3. */
    public static final int SOCKADDR_IP = 17;
    /** Offset of {@code fi_domain_attr.max_cntr_value}, since 2.5. */
    public static final long MAX_CNTR_VALUE = fi_domain_attr.layout().byteSize();
    /** Offset of {@code fi_domain_attr.max_err_cntr_value}, since 2.5. */
    public static final long MAX_ERR_CNTR_VALUE = MAX_CNTR_VALUE + Long.BYTES;

    private Newer() {
    }
}
