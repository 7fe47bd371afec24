// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.OperationStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What an endpoint has of aliases that were closed: what they started goes on, and what they counted counts. */
final class Inherited {
    /** Something is under way with each. */
    private final List<ContextSlab> slabs = new ArrayList<>();
    /** What the others counted. */
    private OperationStatistics past = OperationStatisticsImpl.NONE;

    /** Of one that is closed now, with what it had of others. */
    void add(Collection<ContextSlab> own, Inherited others, Object endpoint, Collection<ContextReader> queues,
            boolean parked) {
        past = OperationStatisticsImpl.sum(past, others.past);
        others.slabs.addAll(own);
        for (ContextSlab slab : others.slabs) {
            // the alias can become garbage, but its operations are still somebody's
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
