// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.RawContext;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.util.HashSet;
import java.util.Set;

/**
 * When udp;ofi_rxd can take an atomic operation that fetches. If it cannot send one at once, because there is no
 * connection to the peer yet or too much is under way, rxd sends it later, takes it for completed, and crashes when the
 * answer arrives (libfabric 1.17 to 2.1).
 */
public final class FirstContact {
    /** Half of what rxd sends before it waits for acknowledgements. */
    private static final int WINDOW = 64;

    private final ContextSlab operations;
    /** Peers that something was sent to since nothing was under way, and those that have acknowledged something. */
    private final Set<Long> tried = new HashSet<>();
    private final Set<Long> reached = new HashSet<>();

    private FirstContact(ContextSlab operations) {
        this.operations = operations;
    }

    /** Null for all other providers. */
    public static FirstContact of(FabricInfoImpl info, ContextSlab operations) {
        return Quirks.of(info.provider()).has(Quirk.FETCH_NEEDS_CONTACT) ? new FirstContact(operations) : null;
    }

    /** The provider took an operation that does not fetch: once it is over, and only then, the peer has answered. */
    synchronized void sent(long destination, long token) {
        if (token != 0 && !RawContext.is(token)) {
            tried.add(destination);
        }
    }

    synchronized void removed(long destination) {
        tried.remove(destination);
        reached.remove(destination);
    }

    /** False to try again later; {@code reports} if all operations are counted, and this one will be. */
    synchronized boolean mayFetch(String operation, long destination, boolean reports) {
        int busy = operations.busy();
        if (busy == 0 && reports) {
            reached.addAll(tried);
            tried.clear();
        }
        if (reports && reached.contains(destination)) {
            return busy == 0 || tried.isEmpty() && busy < WINDOW;
        }
        if (reports && tried.contains(destination)) {
            return false;
        }
        throw new IllegalStateException(operation + ": the provider would crash if this were the first operation to "
                + "peer " + destination + ": send something else to it first"
                + (reports ? ", and read the completion" : ", from an endpoint that reports completions to a "
                + "queue, without raw contexts"));
    }
}
