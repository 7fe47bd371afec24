// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.RawHeader;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A service for one caller that answers its hello, and keeps what else it says for the test. */
final class SilentService extends ServiceByHand {
    private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
    private final BlockingQueue<RawHeader> headers = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> rooms = new LinkedBlockingQueue<>();
    private final long largest;

    SilentService(Node node, long largest) {
        super(node);
        this.largest = largest;
    }

    @Override
    public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
        if (Frame.type(frame) != Frame.CONNECT) {
            if (Frame.type(frame) == Frame.CALL_WITH_ROOM) {
                rooms.add(RawHeader.of(frame.asSlice(Frame.HEADER - 8)).key());
            }
            headers.add(RawHeader.of(frame));
        } else if (greeting.complete(read(frame, length))) {
            accept(greeting.join(), greeting.join().hello(), 1, 16, largest);
        }
        return null;
    }

    void says(int type, long id, long size, long more) {
        say(greeting.join(), type, 1, id, size, more);
    }

    CompletableFuture<Void> sends(MemorySegment payload, long tag) {
        return sends(payload, greeting.join(), tag);
    }

    RawHeader next() throws InterruptedException {
        return headers.poll(20, TimeUnit.SECONDS);
    }

    /** Where the caller receives the answer to the call that came last. */
    long room() throws InterruptedException {
        return rooms.poll(20, TimeUnit.SECONDS);
    }
}
