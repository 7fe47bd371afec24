// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.DomainStatistics;
import io.jfabric.OperationStatistics;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** What goes on in a domain, counted where that costs least: see {@link ContextSlab#statistics}. Any thread. */
public final class Activity {
    private final Set<Contexts> open = new HashSet<>();
    private OperationStatistics past = OperationStatisticsImpl.NONE;
    private final LongAdder regions = new LongAdder();
    private final LongAdder registered = new LongAdder();

    public synchronized void begins(Contexts endpoint) {
        open.add(endpoint);
    }

    /** The endpoint is closed. */
    public synchronized void ends(Contexts endpoint) {
        if (open.remove(endpoint) && !endpoint.isCountedElsewhere()) {
            past = OperationStatisticsImpl.sum(past, endpoint.statistics());
        }
    }

    public void registered(long bytes) {
        regions.increment();
        registered.add(bytes);
    }

    public void deregistered(long bytes) {
        regions.decrement();
        registered.add(-bytes);
    }

    /** The sum over all endpoints. */
    public synchronized DomainStatistics statistics() {
        OperationStatistics sum = past;
        for (Contexts endpoint : open) {
            sum = OperationStatisticsImpl.sum(sum, endpoint.statistics());
        }
        return new DomainStatisticsImpl(sum, open.size(), regions.sum(), registered.sum());
    }
}
