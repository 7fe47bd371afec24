// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.clock.Aside;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A message that is sent again if the node had no place for it, which may change soon: without it the other side would
 * wait in vain. (Not for several {@link Pieces} at once, some of which may be on their way: each is sent again by
 * itself.)
 */
public abstract class Resending {
    /** The pause between two tries, in milliseconds, and for how long it is tried. */
    private static final long PAUSE = 5;
    private static final long PERSISTENCE = TimeUnit.SECONDS.toNanos(10);

    /** When it first failed; 0 if it has not. */
    private long failing;

    /** Sends it; null if it is sent already. A closed peer or node is a failure, too, thrown or not. */
    protected abstract CompletableFuture<Void> sendOnce();

    /** It is sent; or there is no use in trying, for the given reason. */
    protected abstract void over(Throwable failure);

    /** Whether another thread may send it. */
    protected boolean isForAnyThread() {
        return true;
    }

    /** To be called once, and after {@link #over} to send something else. It may be over before this returns. */
    public final void send() {
        CompletableFuture<Void> sent;
        try {
            sent = sendOnce();
        } catch (IllegalStateException | IllegalArgumentException | FabricException closed) {
            // or its address is gone
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
            // not in the clock's thread: it may end there, with the program's continuations
            Aside.later(PAUSE, this::send);
        } else {
            over(failure);
        }
    }
}
