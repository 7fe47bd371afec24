// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.async.Node;
import io.jfabric.internal.ffi.Log;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/** {@link Node#onWritten}. */
public final class Written {
    private static final Log LOG = Log.of(Node.class);

    private final AtomicReference<LongConsumer> handler = new AtomicReference<>();
    /** For the thread that polls. */
    private boolean complained;

    public void handler(LongConsumer first) {
        if (!handler.compareAndSet(null, first)) {
            throw new IllegalStateException("Node.onWritten: the node has a handler already, and who has set that goes "
                    + "on to need it; let that one pass the data on, or open another node");
        }
    }

    /** What to do about this data; in the thread that polls. */
    Runnable tell(long data) {
        LongConsumer told = handler.get();
        if (told != null) {
            return () -> told.accept(data);
        }
        if (!complained) {
            complained = true;
            LOG.warn("a peer has written to this node's memory with immediate data {}, and nobody is told: set "
                    + "Node.onWritten before giving regions away. Further writes with data are not reported", data);
        }
        return () -> { };
    }
}
