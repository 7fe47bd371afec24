// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.NodeOptions;
import io.jfabric.internal.async.node.NodeImpl;
import java.util.concurrent.Executor;

/**
 * Where futures are completed that end by the clock: as the node's others, but not in the thread of the clock. That is
 * everybody's, and what the program has appended may wait for something that ends by the clock itself.
 */
public final class Aside {
    private Aside() {
    }

    public static void run(NodeImpl node, Runnable action) {
        Executor executor = node.options().executor();
        if (executor == NodeOptions.DIRECT) {
            start(action);
            return;
        }
        try {
            executor.execute(action);
        } catch (RuntimeException | Error full) {
            start(action);
        }
    }

    private static void start(Runnable action) {
        Thread.ofVirtual().name("jfabric-late").start(action);
    }
}
