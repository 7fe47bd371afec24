// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

/**
 * The limits in an info as libfabric handed it out. An application may lower them before it opens an endpoint; what it
 * raises, several providers believe, and overrun their own tables later.
 */
final class Granted {
    private static final int CONTEXTS = 6;
    private static final String[] NAMES = {"tx().size", "rx().size", "tx().iovLimit", "rx().iovLimit",
        "tx().rmaIovLimit", "tx().injectSize", "endpoint().txContextCount", "endpoint().rxContextCount"};

    private final long[] values;

    private Granted(long[] values) {
        this.values = values;
    }

    static Granted by(FabricInfoImpl info) {
        long[] values = read(info);
        // an info names one context; how many an endpoint can have is the domain's
        values[CONTEXTS] = higher(values[CONTEXTS], info.domain().limits().maxEndpointTxContexts());
        values[CONTEXTS + 1] = higher(values[CONTEXTS + 1], info.domain().limits().maxEndpointRxContexts());
        return new Granted(values);
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
