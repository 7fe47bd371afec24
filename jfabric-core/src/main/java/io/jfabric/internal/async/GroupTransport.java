// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async;

import io.jfabric.async.Received;
import io.jfabric.internal.group.Transport;
import io.jfabric.internal.idle.Clock;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The network of a group: a node's tagged messages. */
final class GroupTransport implements Transport {
    private final NodeImpl node;
    private final Drive drive;
    private final GroupMemory memory;
    private final List<PeerImpl> members;
    private final int rank;
    private final long longest;

    GroupTransport(NodeImpl node, GroupMemory memory, List<PeerImpl> members, int rank) {
        this.node = node;
        this.drive = node.drive();
        this.memory = memory;
        this.members = members;
        this.rank = rank;
        // it may be unlimited, which is negative
        long limit = node.info().endpoint().maxMessageSize();
        this.longest = limit > 0 ? limit : Long.MAX_VALUE;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return members.size();
    }

    @Override
    public long longest() {
        return longest;
    }

    @Override
    public Object send(MemorySegment data, int to, long tag, long deadline, Listener listener) {
        return started(new TaggedSend(drive, members.get(to), until(deadline), data, 0, data.byteSize(), tag, false, 0),
                listener);
    }

    @Override
    public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
        PeerImpl peer = members.get(from);
        // a connection has receives of its own; elsewhere the tag says from whom
        PeerImpl only = peer.isConnection() ? peer : null;
        return started(new Receive(node, peer.receives(), only, peer.endpoint(), until(deadline), room, 0,
                room.byteSize(), true, tag, 0), listener);
    }

    private CompletableFuture<?> started(Operation<?> operation, Listener listener) {
        drive.start(operation);
        operation.whenComplete((value, failure) ->
                listener.ended(value instanceof Received received ? received.length() : 0, failure));
        return operation;
    }

    private static long until(long deadline) {
        return Clock.after(deadline - System.nanoTime());
    }

    @Override
    public void cancel(Object operation) {
        ((CompletableFuture<?>) operation).cancel(true);
    }

    @Override
    public MemorySegment allocate(long size) {
        return memory.take(size);
    }

    @Override
    public void release(MemorySegment segment) {
        memory.give(segment);
    }

    @Override
    public CompletableFuture<Void> future() {
        return new NodeFuture<>(drive);
    }
}
