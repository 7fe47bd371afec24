// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/** How many bytes a node's operations have moved. Any thread may read; only the one that polls counts completions. */
public final class Moved {
    private static final VarHandle SENT;
    private static final VarHandle RECEIVED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SENT = lookup.findVarHandle(Moved.class, "sent", long.class).withInvokeExactBehavior();
            RECEIVED = lookup.findVarHandle(Moved.class, "received", long.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long sent;
    private long received;
    private final LongAdder injected = new LongAdder();

    public Moved() {
    }

    public void sent(long bytes) {
        SENT.setOpaque(this, sent + bytes);
    }

    public void received(long bytes) {
        RECEIVED.setOpaque(this, received + bytes);
    }

    /** Counts bytes that were sent without a completion; any thread. */
    public void injected(long bytes) {
        injected.add(bytes);
    }

    public long sent() {
        return (long) SENT.getOpaque(this) + injected.sum();
    }

    public long received() {
        return (long) RECEIVED.getOpaque(this);
    }
}
