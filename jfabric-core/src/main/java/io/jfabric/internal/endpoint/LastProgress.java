// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;

/** Makes the provider read what has arrived, where it would forget to close that; takes no completions. For closers. */
public final class LastProgress {
    /** Connecting takes some steps of each side, and a provider may look for new connections every 10 ms only. */
    private static final long NANOS = 25_000_000;
    private static final int ROUNDS = 8;

    private LastProgress() {
    }

    /** Call before everything in a domain is closed. */
    public static void of(DomainState domain) {
        if (domain.quirks().has(Quirk.CLOSE_FORGETS_CONNECTIONS)) {
            long start = System.nanoTime();
            do {
                domain.object().eachChild(LastProgress::of);
                Thread.onSpinWait();
            } while (System.nanoTime() - start < NANOS);
        } else if (domain.quirks().has(Quirk.REQUESTS_OUTLIVE_ENDPOINTS)) {
            for (int i = 0; i < ROUNDS; i++) {
                domain.object().eachChild(LastProgress::of);
            }
        }
    }

    /** Call before an endpoint is closed: connecting peers are accepted, and their requests read, after some rounds. */
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

    /** Whether all that use the queue are enabled: the provider would look into one that is not, or that it keeps. */
    static boolean mayDrive(CompletionQueueImpl queue) {
        boolean[] all = {queue.entry().breakdown() == null};
        queue.eachUser(user -> all[0] &= !(user instanceof EndpointImpl other) || other.isEnabled());
        return all[0];
    }
}
