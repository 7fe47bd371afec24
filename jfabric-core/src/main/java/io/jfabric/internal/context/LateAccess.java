// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The endpoints of a domain through which accesses of peers may go on after the region is closed: the provider has
 * looked up the memory already, and copies until the endpoint is closed. Any thread.
 */
public final class LateAccess {
    /** With the number of each, in the order of opening. */
    private final SequencedMap<Object, Long> open = new LinkedHashMap<>();
    /** In the order of their numbers. There may be very many. */
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long opened;

    /** An action that waits for all endpoints with lower numbers. */
    private record Waiting(long number, Runnable action) {
    }

    public synchronized void opened(Object endpoint) {
        open.put(endpoint, opened++);
    }

    /** The provider has closed the endpoint. */
    public void closed(Object endpoint) {
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            open.remove(endpoint);
            long first = open.isEmpty() ? Long.MAX_VALUE : open.firstEntry().getValue();
            while (!waiting.isEmpty() && waiting.getFirst().number <= first) {
                due.add(waiting.removeFirst().action);
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
                waiting.add(new Waiting(opened, action));
                return;
            }
        }
        action.run();
    }
}
