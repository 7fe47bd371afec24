// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;

/** Makes progress for a node: what its futures need of it. */
public interface Progress {
    /** Makes progress once, unless another thread does; returns how much there was to do. */
    int poll();

    /** As {@link #poll}, but waits for another thread that is about to, until this moment at most. */
    void pollOnce(long end);

    /** Something must be looked at by then, whatever happens before. */
    void note(long deadline);

    /** Takes all that the provider has reported by now, waiting for other threads that do, until then at most. */
    void catchUp(long end);

    /**
     * Waits for a future as this thread may: a platform thread polls for a moment, the engine's thread polls until the
     * future is done, as do all if there is no engine, and a virtual thread does not poll. May return before it is
     * done.
     */
    void await(CompletableFuture<?> future, long end, boolean interruptible);

    /** Where the futures are completed. */
    Completing completing();
}
