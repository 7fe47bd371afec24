// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.CompletionError;
import io.jfabric.Endpoint;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.quirk.Quirk;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes sure that no read of the provider's still brings data when an endpoint is closed, where that matters (see
 * {@link Quirk#REPORTS_READS_TWICE}). For that it cancels receives that no message has begun to fill.
 */
final class ArrivingData {
    private static final Log LOG = Log.of(Endpoint.class);
    /** Receives that cannot be cancelled are being filled, unless the peer has stalled. */
    private static final long RECEIVES = TimeUnit.SECONDS.toNanos(2);
    /** Nobody knows which of these are reads: sends may wait for a peer that never receives. */
    private static final long TRANSMITS = TimeUnit.MILLISECONDS.toNanos(200);

    private final EndpointImpl endpoint;
    private final Contexts contexts;
    private final Set<Long> cancelled = new HashSet<>();

    private ArrivingData(EndpointImpl endpoint) {
        this.endpoint = endpoint;
        this.contexts = endpoint.state().contexts();
    }

    /** For the thread that closes the endpoint; false if the provider must not close it. */
    static boolean hasEnded(EndpointImpl endpoint) {
        if (!endpoint.state().domain().quirks().has(Quirk.REPORTS_READS_TWICE)) {
            return true;
        }
        ArrivingData data = new ArrivingData(endpoint);
        boolean fills = data.cancelReceives();
        if (!data.ends(fills)) {
            LOG.warn("{} is closed, but a message that was arriving has stalled: libfabric keeps the endpoint and what "
                    + "it uses until the process ends, as closing it now would crash", endpoint);
            return false;
        }
        return true;
    }

    /** Cancels receives. Whether reads may be filling others, as with large messages to unconnected endpoints. */
    private boolean cancelReceives() {
        if (endpoint.info().endpoint().type() == EndpointType.MSG) {
            return false;
        }
        cancelled.addAll(receives());
        endpoint.call(fid -> {
            cancelled.forEach(token -> DirectedCancel.cancel(contexts, fid, token));
            return 0;
        });
        return true;
    }

    private boolean ends(boolean withReceives) {
        long start = System.nanoTime();
        while (true) {
            Set<Long> over = new HashSet<>();
            // the sender may be of the same domain
            endpoint.state().domain().object().eachChild(LastProgress::of);
            endpoint.eachUsed(used -> {
                if (used instanceof CompletionQueueImpl queue && LastProgress.mayDrive(queue)) {
                    queue.takeAside(this::isCancelled);
                    over.addAll(queue.tokensAside());
                }
            });
            boolean filling = withReceives && !over.containsAll(receives());
            long waited = System.nanoTime() - start;
            if (filling ? waited > RECEIVES : waited > TRANSMITS || over.containsAll(contexts.transmits().tokens())) {
                return !filling;
            }
            // most end at once; a stalled peer must not cost a core
            LockSupport.parkNanos(waited / 10);
        }
    }

    private Set<Long> receives() {
        Set<Long> tokens = new HashSet<>();
        for (ContextSlab slab : List.of(contexts.receives(), contexts.directed())) {
            tokens.addAll(slab.tokens());
        }
        return tokens;
    }

    /** Whether the receive was cancelled here: the endpoint's user does not wait for it any more. */
    private boolean isCancelled(CompletionError error) {
        boolean mine = error.errno() == Errno.ECANCELED && cancelled.retainAll(receives());
        if (mine) {
            contexts.receives().withdrawn();
        }
        return mine;
    }
}
