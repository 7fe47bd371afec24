// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The queues that may still report operations of a closed endpoint: those that were open then. For a parked endpoint
 * more may be reported until the queues are closed, too. They are kept reachable by whoever opened them.
 */
final class Readers {
    private final List<WeakReference<ContextReader>> queues = new ArrayList<>();
    private final boolean parked;

    Readers(Collection<ContextReader> open, boolean parked) {
        open.forEach(queue -> queues.add(new WeakReference<>(queue)));
        this.parked = parked;
    }

    /** That queue has nothing more to report of endpoints that were closed before. Returns whether it was the last. */
    boolean emptied(ContextReader queue) {
        return !parked && closed(queue);
    }

    /** Nobody reads that queue any more. Returns whether it was the last. */
    boolean closed(ContextReader queue) {
        queues.removeIf(one -> one.refersTo(queue) || one.refersTo(null));
        return queues.isEmpty();
    }
}
