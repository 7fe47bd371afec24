// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.CompletionQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.Waitable;

/** The file descriptors that tell when a node has something to do; none if the provider has none. */
final class Descriptors {
    private final Fabric fabric;
    private final CompletionQueue queue;
    private final Waitable[] waitables;
    private final int[] fds;

    Descriptors(NodeParts parts) {
        fabric = parts.fabric();
        queue = parts.queue();
        waitables = parts.waitables().toArray(Waitable[]::new);
        fds = parts.waitables().stream().mapToInt(Waitable::fileDescriptor).toArray();
    }

    int[] fds() {
        return fds;
    }

    /** Whether they will tell of everything that the provider does from now on. */
    boolean mayBlock() {
        try {
            return fds.length > 0 && fabric.tryWait(waitables);
        } catch (IllegalStateException | FabricException closed) {
            return false;
        }
    }

    /** Makes one of them readable; false if there is none. */
    boolean signal() {
        try {
            if (fds.length > 0) {
                queue.signal();
                return true;
            }
        } catch (IllegalStateException | FabricException closed) {
            // there is nothing to wait for
        }
        return false;
    }
}
