// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Pieces;
import io.jfabric.internal.call.wire.RawHeader;
import io.jfabric.internal.call.wire.Welcome;
import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** A service that says what the test wants it to. */
abstract class ServiceByHand implements Hub.Receiver {
    static final int NUMBER = 5;
    private static final int INLINE = 4096;

    private final NodeImpl node;
    private volatile Hub hub;

    ServiceByHand(Node node) {
        this.node = (NodeImpl) node;
    }

    /** From now on callers are heard. */
    final void join() {
        hub = Hub.join(node, Wire.requests(NUMBER), this);
    }

    final Hub hub() {
        return hub;
    }

    final Greeting read(MemorySegment hello, long length) {
        return Greeting.read(node, INLINE, hello, length);
    }

    /** Takes the caller, in answer to that hello, for a session with that key. */
    final void accept(Greeting to, int hello, long key, int window, long largest) {
        PooledBuffer out = hub.take();
        new Welcome(hello, to.key(), 1, key, INLINE, window, largest).write(out.segment());
        send(out, Welcome.LENGTH, to);
    }

    /** No more than a header. */
    final void say(Greeting to, int type, int connection, long id, long length, long more) {
        PooledBuffer out = hub.take();
        new RawHeader(RawHeader.first(type), connection, to.key(), id, length, 0, more).write(out.segment());
        send(out, Frame.HEADER, to);
    }

    /** To where the caller receives it. */
    final CompletableFuture<Void> sends(MemorySegment payload, Greeting to, long tag) {
        return new Pieces(hub.wire, new MemorySegment[] {payload}, to.peer(), tag, true, () -> { }).send();
    }

    final void send(PooledBuffer out, long length, Greeting to) {
        hub.send(out.segment(), length, to.peer(), to.tag(), out::close);
    }

    @Override
    public void ended() {
        // with the test
    }
}
