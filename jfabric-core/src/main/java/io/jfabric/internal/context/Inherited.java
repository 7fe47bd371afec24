// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.OperationStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What an endpoint takes over from aliases that were closed: their operations under way, and their counts. */
final class Inherited {
    /** Those that have something under way. */
    private final List<ContextSlab> slabs = new ArrayList<>();
    /** The counts of the others. */
    private OperationStatistics past = OperationStatisticsImpl.NONE;

    /** Takes over from an alias that is closed now, including what it had taken over itself. */
    void add(Collection<ContextSlab> own, Inherited others, Object endpoint, Collection<ContextReader> queues,
            boolean parked) {
        past = OperationStatisticsImpl.sum(past, others.past);
        others.slabs.addAll(own);
        for (ContextSlab slab : others.slabs) {
            // the alias can become garbage, but its operations still have an endpoint
            slab.of(endpoint);
            if (slab.busy() > 0) {
                slabs.add(slab);
            } else {
                past = OperationStatisticsImpl.sum(past, slab.statistics());
                slab.close(queues, parked);
            }
        }
        others.slabs.clear();
        others.past = OperationStatisticsImpl.NONE;
    }

    OperationStatistics statistics() {
        OperationStatistics sum = past;
        for (ContextSlab slab : slabs) {
            sum = OperationStatisticsImpl.sum(sum, slab.statistics());
        }
        return sum;
    }

    void close(Collection<ContextReader> queues, boolean parked) {
        slabs.forEach(slab -> slab.close(queues, parked));
    }
}
