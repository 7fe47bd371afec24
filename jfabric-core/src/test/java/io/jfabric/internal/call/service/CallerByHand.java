// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.CallFrames;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Pieces;
import io.jfabric.internal.call.wire.RawHeader;
import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A caller that says what a test wants it to, and does nothing by itself. */
final class CallerByHand implements Hub.Receiver, AutoCloseable {
    /** What a service has said. */
    record Said(int type, int connection, long id, long length, long more) {
    }

    final Hub hub;
    /** Of all that the service has said. */
    final BlockingQueue<RawHeader> headers = new LinkedBlockingQueue<>();
    private final Node node;
    private final Peer peer;
    private final int service;
    private final long tag = Wire.replies(Wire.newNumber());
    private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
    private final MemorySegment hello;
    private final Said accepted;

    /** Says hello. */
    CallerByHand(Node node, Peer peer, int service) throws InterruptedException {
        this(node, peer, service, 16);
    }

    /** The same, and asks for so many calls at a time. */
    CallerByHand(Node node, Peer peer, int service, int window) throws InterruptedException {
        this.node = node;
        this.peer = peer;
        this.service = service;
        this.hub = Hub.join((NodeImpl) node, tag, this);
        byte[] address = node.address().bytes();
        hello = node.allocate(Greeting.length(address));
        Greeting.write(hello, address, tag, 42, 4096, window, 1);
        greets();
        accepted = hears();
    }

    /** Says the same hello again. */
    CompletableFuture<Void> greets() {
        return hub.wire.send(hello, hello.byteSize(), peer, Wire.requests(service));
    }

    /** What the service says next; null if it is silent for 20 seconds. */
    Said hears() throws InterruptedException {
        return said.poll(20, TimeUnit.SECONDS);
    }

    void says(int type, long id, long length, long time, long more) {
        // of a short call all of it, of nothing but zeros
        long size = Frame.HEADER + (type == Frame.CALL ? length : 0);
        MemorySegment frame = node.allocate(size);
        new RawHeader(RawHeader.first(type), accepted.connection(), accepted.id(), id, length, time, more)
                .write(frame);
        hub.wire.send(frame, size, peer, Wire.requests(service));
    }

    /** An empty call, whose answer is already being received there. */
    void calls(long id, AnswerRoom room) {
        MemorySegment frame = node.allocate(CallFrames.start(room));
        CallFrames.request(frame, accepted.connection(), accepted.id(), id, 0, Frame.NO_DEADLINE, room);
        hub.wire.send(frame, frame.byteSize(), peer, Wire.requests(service));
    }

    /** The tag of a long request that follows at once. */
    long eagerTag() {
        return Wire.eager(service, accepted.connection(), 1);
    }

    /** To where the service receives it. */
    CompletableFuture<Void> sends(MemorySegment payload, long tag) {
        return new Pieces(hub.wire, new MemorySegment[] {payload}, peer, tag, true, () -> { }).send();
    }

    /** A short call of nothing but zeros, as if the other had made it. False if there is no room for it now. */
    boolean callsAs(CallerByHand other, MemorySegment frame) {
        CallFrames.request(frame, other.accepted.connection(), other.accepted.id(), 1,
                frame.byteSize() - Frame.HEADER, Frame.NO_DEADLINE, null);
        return isSent(frame);
    }

    /** Asks for an answer that there is not, as if the other had; otherwise the same. */
    boolean asksAs(CallerByHand other, MemorySegment frame, long tag) {
        LongFrames.goAnswer(frame, other.accepted.connection(), other.accepted.id(), 1, 0, tag, 7);
        return isSent(frame);
    }

    private boolean isSent(MemorySegment frame) {
        CompletableFuture<Void> sent = hub.wire.send(frame, frame.byteSize(), peer, Wire.requests(service));
        if (sent != null) {
            sent.orTimeout(20, TimeUnit.SECONDS).exceptionally(failure -> null).join();
        }
        return sent == null || !sent.isCompletedExceptionally();
    }

    @Override
    public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
        RawHeader header = RawHeader.of(frame);
        headers.add(header);
        said.add(new Said(Frame.type(frame), header.connection(), header.id(), header.length(), header.more()));
        return null;
    }

    @Override
    public void ended() {
        // with the test
    }

    @Override
    public void close() {
        hub.leave(tag, this, false);
    }
}
