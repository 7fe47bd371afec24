// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.life.FidObject;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Whose operations a counter counts: if a provider does not count that one has failed, jfabric does. */
public final class CountedEndpoints {
    private static final long KINDS = Libfabric.FI_SEND() | Libfabric.FI_RECV() | Libfabric.FI_READ()
            | Libfabric.FI_WRITE();

    private final CounterImpl counter;
    private final Map<FidObject, Bound> endpoints = Collections.synchronizedMap(new WeakHashMap<>());

    /** The flags that the counter is bound to an endpoint with, and whether that is a connected one. */
    private record Bound(long flags, boolean connected) {
        boolean counts(long kinds) {
            return (flags & kinds) != 0;
        }
    }

    CountedEndpoints(CounterImpl counter) {
        this.counter = counter;
    }

    /** The counter is bound to an endpoint with these flags. */
    public void add(FidObject endpoint, long flags, boolean connected) {
        endpoints.merge(endpoint, new Bound(flags, connected),
                (before, more) -> new Bound(before.flags | more.flags, connected));
    }

    /** A receive of that endpoint, counted as done, has failed. */
    static void receiveFailed(Object receiver) {
        each(receiver, bound -> bound.counts(Libfabric.FI_RECV()), CounterImpl::failedAfterAll);
    }

    /**
     * An operation of that endpoint, maybe a connected one, was cancelled. The flags that the queue reports say of
     * which kind it was. For a thread that is inside the queue.
     */
    static void cancelled(Object endpoint, long flags) {
        each(endpoint, bound -> bound.connected && bound.counts(flags & KINDS), CounterImpl::failedUncounted);
    }

    private static void each(Object owner, Predicate<Bound> counts, Consumer<CounterImpl> change) {
        if (owner instanceof FidObject endpoint) {
            endpoint.eachUsed(used -> {
                Bound bound = used instanceof CounterImpl counter ? counter.counted().endpoints.get(endpoint) : null;
                if (bound != null && counts.test(bound)) {
                    ((CounterImpl) used).counted().change(change);
                }
            });
        }
    }

    private void change(Consumer<CounterImpl> change) {
        try {
            change.accept(counter);
        } catch (IllegalStateException | FabricException unusable) {
            // closed or broken: nobody will ask it
        }
    }
}
