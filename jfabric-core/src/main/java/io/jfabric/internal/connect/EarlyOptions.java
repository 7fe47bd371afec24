// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.post.MultiReceiveGuard;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.EndpointOption;

/**
 * The options of an endpoint that is not enabled yet, where the provider crashes when asked: it looks for them in what
 * enabling creates. Before libfabric 2.0 it may put {@link EndpointOption#MIN_MULTI_RECV} there, too.
 */
final class EarlyOptions {
    private final boolean settable;
    private Long minMultiRecv;

    private EarlyOptions(boolean settable) {
        this.settable = settable;
    }

    /** Null if the provider can be asked at any time. */
    static EarlyOptions of(FabricInfoImpl info) {
        Quirks quirks = info.quirks();
        return quirks.has(Quirk.OPTIONS_AFTER_ENABLE)
                ? new EarlyOptions(!quirks.hasAny(Quirk.LATE_MIN_MULTI_RECV, Quirk.LATE_MIN_MULTI_RECV_IN_SM2)) : null;
    }

    IllegalStateException unreadable(EndpointOption<?> option) {
        return new IllegalStateException("fi_getopt(" + option + "): enable the endpoint first");
    }

    /** Whether the value is kept until the endpoint is enabled; else the provider takes it now. */
    boolean keep(EndpointOption<?> option, Object value) {
        if (settable || value == null || !MultiReceiveGuard.isMinimum(option)) {
            return false;
        }
        if (!(value instanceof Long size)) {
            throw new IllegalArgumentException("fi_setopt(" + option + "): the value is a " + value.getClass().getName()
                    + ", not a Long; use EndpointOption.MIN_MULTI_RECV");
        }
        minMultiRecv = size;
        return true;
    }

    /** Sets what was kept on the endpoint, which is enabled now. */
    void apply(Naming endpoint) {
        if (minMultiRecv != null) {
            endpoint.setOption(EndpointOption.MIN_MULTI_RECV, minMultiRecv);
        }
    }
}
