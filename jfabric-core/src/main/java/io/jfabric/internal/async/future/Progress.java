// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.concurrent.CompletableFuture;

/** Who makes progress for a node; what its futures need of it. */
public interface Progress {
    /** Makes progress once, unless another thread does; how much there was to do. */
    int poll();

    /** The same also where another thread is about to, which is waited for as far as time goes. */
    void pollOnce(long end);

    /** Something has to be looked at then, whatever happens before. */
    void note(long deadline);

    /** Takes all that the provider has reported by now, also where another thread is about to, as far as time goes. */
    void catchUp(long end);

    /**
     * Waits for a future as this thread may: a platform thread polls for a moment, the engine's thread and whoever
     * has no engine until the future is done, a virtual thread not at all. Returns before the end, too.
     */
    void await(CompletableFuture<?> future, long end, boolean interruptible);

    /** Where the futures are completed. */
    Completing completing();
}
