// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The endpoints of a domain through which accesses of peers may go on after the region is closed: the provider has
 * looked up the memory already, and copies until the endpoint is closed. Any thread.
 */
public final class LateAccess {
    private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Waiting> waiting = new ArrayList<>();

    private record Waiting(Set<Object> endpoints, Runnable action) {
    }

    public synchronized void opened(Object endpoint) {
        open.add(endpoint);
    }

    /** The provider has closed the endpoint. */
    public void closed(Object endpoint) {
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            open.remove(endpoint);
            for (Iterator<Waiting> it = waiting.iterator(); it.hasNext();) {
                Waiting next = it.next();
                next.endpoints.remove(endpoint);
                if (next.endpoints.isEmpty()) {
                    it.remove();
                    due.add(next.action);
                }
            }
        }
        due.forEach(Runnable::run);
    }

    /** Runs the action when all endpoints of these domains that are open now are closed: at once if there are none. */
    public static void whenOver(Collection<LateAccess> domains, Runnable action) {
        AtomicInteger left = new AtomicInteger(domains.size() + 1);
        Runnable one = () -> {
            if (left.decrementAndGet() == 0) {
                action.run();
            }
        };
        domains.forEach(domain -> domain.whenOver(one));
        one.run();
    }

    private void whenOver(Runnable action) {
        synchronized (this) {
            if (!open.isEmpty()) {
                Set<Object> endpoints = Collections.newSetFromMap(new IdentityHashMap<>());
                endpoints.addAll(open);
                waiting.add(new Waiting(endpoints, action));
                return;
            }
        }
        action.run();
    }
}
