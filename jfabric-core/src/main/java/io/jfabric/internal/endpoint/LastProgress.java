// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;

/**
 * Has the provider read what has arrived, where it would forget to close that; takes no completions. For closers.
 */
public final class LastProgress {
    /** A connection takes some steps of each side, and rxm looks for new ones every 10 ms at most. */
    private static final long NANOS = 25_000_000;
    private static final int ROUNDS = 8;

    private LastProgress() {
    }

    /** Before all is closed that there is in a domain. */
    public static void of(DomainState domain) {
        if (domain.quirks().has(Quirk.CLOSE_FORGETS_CONNECTIONS)) {
            long start = System.nanoTime();
            do {
                domain.object().eachChild(LastProgress::of);
                Thread.onSpinWait();
            } while (System.nanoTime() - start < NANOS);
        }
    }

    /** Before an endpoint is closed: who is connecting to it has been accepted, and says what he wants, after some. */
    static void ofRequests(EndpointImpl endpoint) {
        for (int i = 0; i < ROUNDS; i++) {
            endpoint.eachUsed(LastProgress::of);
        }
    }

    static void of(FidObject object) {
        if (object instanceof CompletionQueueImpl queue && mayDrive(queue)) {
            queue.progress();
        }
    }

    /** Whether all that use the queue are enabled: the provider would look into one that is not, or was kept. */
    static boolean mayDrive(CompletionQueueImpl queue) {
        boolean[] all = {queue.entry().breakdown() == null};
        queue.eachUser(user -> all[0] &= !(user instanceof EndpointImpl other) || other.isEnabled());
        return all[0];
    }
}
