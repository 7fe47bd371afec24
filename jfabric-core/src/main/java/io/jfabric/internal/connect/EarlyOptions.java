// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.info.Version;
import io.jfabric.internal.domain.FabricImpl;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.option.EndpointOption;

/**
 * The options of an endpoint that is not enabled yet, where the provider crashes when asked: shm looks for them in what
 * enabling makes. Before libfabric 2.0 it puts {@link EndpointOption#MIN_MULTI_RECV} there too.
 */
public final class EarlyOptions {
    private static final Version TAKES_EARLY = new Version(2, 0);

    private final boolean settable;
    private Long minMultiRecv;

    private EarlyOptions(boolean settable) {
        this.settable = settable;
    }

    /** Null where the provider can be asked at any time. */
    public static EarlyOptions of(FabricInfoImpl info) {
        boolean shm = "shm".equals(info.provider());
        return shm || "sm2".equals(info.provider())
                ? new EarlyOptions(shm && FabricImpl.version().atLeast(TAKES_EARLY)) : null;
    }

    public IllegalStateException unreadable(EndpointOption<?> option) {
        return new IllegalStateException("fi_getopt(" + option + "): enable the endpoint first");
    }

    /** Whether the value is kept until the endpoint is enabled; else the provider takes it now. */
    public boolean keep(EndpointOption<?> option, Object value) {
        if (settable || option != EndpointOption.MIN_MULTI_RECV || value == null) {
            return false;
        }
        minMultiRecv = (Long) value;
        return true;
    }

    /** What was kept, to the endpoint that is enabled now. */
    public void apply(Naming endpoint) {
        if (minMultiRecv != null) {
            endpoint.setOption(EndpointOption.MIN_MULTI_RECV, minMultiRecv);
        }
    }
}
