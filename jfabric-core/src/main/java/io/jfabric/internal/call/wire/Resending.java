// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.async.future.Completing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A message that is sent again if the node had no place for it, as may be over soon: the other side would wait for what
 * does not come. (Not of several {@link Pieces} at once, some of which may be on their way: each is sent by itself.)
 */
public abstract class Resending {
    /** Between two tries, in milliseconds; and for how long. */
    private static final long PAUSE = 5;
    private static final long PERSISTENCE = TimeUnit.SECONDS.toNanos(10);

    /** When it failed first; 0 if it did not. */
    private long failing;

    /** Sends it; null if it is sent. That peer or node is closed is a failure, too, thrown or not. */
    protected abstract CompletableFuture<Void> sendOnce();

    /** It is sent, or there is no use in trying: then with the reason. */
    protected abstract void over(Throwable failure);

    /** Whether another thread may do so. */
    protected boolean isForAnyThread() {
        return true;
    }

    /** Once, or when that is over with something else; it may be over before this returns. */
    public final void send() {
        CompletableFuture<Void> sent;
        try {
            sent = sendOnce();
        } catch (IllegalStateException | IllegalArgumentException | FabricException closed) {
            // or its address is not there any more
            over(closed);
            return;
        }
        if (sent == null) {
            over(null);
        } else {
            sent.whenComplete((done, failure) -> sent(failure));
        }
    }

    private void sent(Throwable failure) {
        if (!(failure instanceof OverloadException) || !isForAnyThread()) {
            over(failure);
            return;
        }
        long now = System.nanoTime();
        failing = failing == 0 ? now : failing;
        if (now - failing < PERSISTENCE) {
            // not in the clock's thread: it may end there, with what the program has appended
            Completing.startAsideLater(PAUSE, this::send);
        } else {
            over(failure);
        }
    }
}
