// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.FabricException;
import io.jfabric.internal.life.FidObject;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/** Whose receives a counter counts: if a provider takes one for done, only jfabric sees that it has failed. */
public final class ReceiveCounts {
    private final CounterImpl counter;
    private final Set<FidObject> endpoints = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>()));

    ReceiveCounts(CounterImpl counter) {
        this.counter = counter;
    }

    /** The counter is bound for the receives of an endpoint. */
    public void add(FidObject endpoint) {
        endpoints.add(endpoint);
    }

    /** A receive of that endpoint, counted as done, has failed. */
    static void failed(Object receiver) {
        if (receiver instanceof FidObject endpoint) {
            endpoint.eachUsed(used -> {
                if (used instanceof CounterImpl counter && counter.receives().endpoints.contains(endpoint)) {
                    counter.receives().failed();
                }
            });
        }
    }

    private void failed() {
        try {
            counter.failedAfterAll();
        } catch (IllegalStateException | FabricException unusable) {
            // closed or broken: nobody will ask it
        }
    }
}
