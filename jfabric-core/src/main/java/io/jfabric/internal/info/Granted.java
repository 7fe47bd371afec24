// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_info;
import io.jfabric.internal.ffi.Memory;
import java.util.stream.Stream;

/**
 * The limits in an info as libfabric handed it out. An application may lower them before it opens an endpoint; what it
 * raises, several providers believe, and overrun their own tables later.
 */
final class Granted {
    private static final int CONTEXTS = 6;
    private static final String[] NAMES = {"tx().size", "rx().size", "tx().iovLimit", "rx().iovLimit",
        "tx().rmaIovLimit", "tx().injectSize", "endpoint().txContextCount", "endpoint().rxContextCount"};

    /** Null where the info says nothing of endpoints. */
    private final long[] values;

    private Granted(long[] values) {
        this.values = values;
    }

    static Granted by(FabricInfoImpl info) {
        if (isIncomplete(info)) {
            return new Granted(null);
        }
        long[] values = read(info);
        // an info names one context; how many an endpoint can have is the domain's
        values[CONTEXTS] = higher(values[CONTEXTS], info.domain().limits().maxEndpointTxContexts());
        values[CONTEXTS + 1] = higher(values[CONTEXTS + 1], info.domain().limits().maxEndpointRxContexts());
        return new Granted(values);
    }

    /** As fi_getinfo answers about providers only. */
    private static boolean isIncomplete(FabricInfoImpl info) {
        return Stream.of(fi_info.tx_attr$offset(), fi_info.rx_attr$offset(), fi_info.ep_attr$offset(),
                fi_info.domain_attr$offset()).anyMatch(offset -> Memory.getLong(info.address() + offset) == 0);
    }

    private static long[] read(FabricInfoImpl info) {
        return new long[] {info.tx().size(), info.rx().size(), info.tx().iovLimit(), info.rx().iovLimit(),
            info.tx().rmaIovLimit(), info.tx().injectSize(), info.endpoint().txContextCount(),
            info.endpoint().rxContextCount()};
    }

    private static long higher(long one, long other) {
        return Long.compareUnsigned(one, other) > 0 ? one : other;
    }

    void check(String operation, FabricInfoImpl now) {
        if (values == null || isIncomplete(now)) {
            throw new IllegalArgumentException(operation + ": the info is not complete, as it describes a provider "
                    + "only; take one of fi_getinfo without PROV_ATTR_ONLY");
        }
        long[] asked = read(now);
        for (int i = 0; i < asked.length; i++) {
            boolean shared = i >= CONTEXTS && asked[i] == EndpointAttributesImpl.SHARED_CONTEXT;
            if (!shared && Long.compareUnsigned(asked[i], values[i]) > 0) {
                throw new IllegalArgumentException(operation + ": " + NAMES[i] + " is "
                        + Long.toUnsignedString(asked[i]) + ", but libfabric granted "
                        + Long.toUnsignedString(values[i]) + "; ask for more in the hints");
            }
        }
    }
}
