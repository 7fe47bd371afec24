// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.PooledBuffer;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells callers that they get no place at a service, or that it is not there. Any thread. */
public final class Refusals {
    /** At a time: each may be an attempt to reach somebody who is not there. */
    private static final int MOST = 256;

    private final Hub hub;
    private final AtomicInteger underWay = new AtomicInteger();

    Refusals(Hub hub) {
        this.hub = hub;
    }

    /** Tells a caller why it gets no place, from that buffer; not if many others, maybe unreachable, are being told. */
    public void send(Greeting greeting, PooledBuffer buffer, boolean isClosing, String why) {
        if (underWay.incrementAndGet() > MOST) {
            underWay.decrementAndGet();
            buffer.close();
            return;
        }
        MemorySegment frame = buffer.segment();
        long length = new Refusal(greeting.hello(), greeting.key(), isClosing, why)
                .write(frame.asSlice(0, Frame.HEADER + greeting.inlineBytes()));
        hub.send(frame, length, greeting.peer(), greeting.tag(), () -> {
            underWay.decrementAndGet();
            buffer.close();
        });
    }
}
