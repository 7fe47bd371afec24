// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.CompletionQueue;
import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.internal.async.future.Ended;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.queue.CompletionQueueImpl;
import java.util.concurrent.CompletableFuture;

/** {@link Node#ended}. */
public final class NodeEnd {
    private final Drive drive;
    private final Ended future;
    /** For the thread that polls. */
    private boolean broken;

    NodeEnd(Drive drive) {
        this.drive = drive;
        this.future = new Ended(drive, "Node.ended");
    }

    public CompletableFuture<Void> future() {
        return future;
    }

    /** The queue could not be polled. In the thread that polls: tells outside of the lock, if it is so for good. */
    void unread(CompletionQueue queue) {
        String why = ((CompletionQueueImpl) queue).entry().breakdown();
        if (why != null && !broken) {
            broken = true;
            drive.afterwards(() -> future.hand(null, FabricException.of("use of a node", Errno.EIO, why)));
        }
    }

    /** The node is closed. */
    public void closed() {
        future.hand(null, null);
    }
}
