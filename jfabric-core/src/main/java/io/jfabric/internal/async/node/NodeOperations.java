// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.RemoteRegion;
import io.jfabric.async.Node;
import io.jfabric.async.Operations;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The operations of {@link Node}, handed on to its {@link Operations}. */
public abstract sealed class NodeOperations implements Node permits NodeImpl {
    abstract Operations operations();

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, Peer peer) {
        return operations().send(buffer, peer);
    }

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, long offset, long length, Peer peer) {
        return operations().send(buffer, offset, length, peer);
    }

    @Override
    public CompletableFuture<Void> send(List<MemorySegment> buffers, Peer peer) {
        return operations().send(buffers, peer);
    }

    @Override
    public CompletableFuture<Void> send(List<MemorySegment> buffers, Peer peer, long tag) {
        return operations().send(buffers, peer, tag);
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long data, Peer peer) {
        return operations().sendData(buffer, data, peer);
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long offset, long length, long data, Peer peer) {
        return operations().sendData(buffer, offset, length, data, peer);
    }

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, Peer peer, long tag) {
        return operations().send(buffer, peer, tag);
    }

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, long offset, long length, Peer peer, long tag) {
        return operations().send(buffer, offset, length, peer, tag);
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long data, Peer peer, long tag) {
        return operations().sendData(buffer, data, peer, tag);
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long offset, long length, long data, Peer peer,
            long tag) {
        return operations().sendData(buffer, offset, length, data, peer, tag);
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer) {
        return operations().receive(buffer);
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length) {
        return operations().receive(buffer, offset, length);
    }

    @Override
    public CompletableFuture<Received> receive(List<MemorySegment> buffers) {
        return operations().receive(buffers);
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer, Peer peer) {
        return operations().receive(buffer, peer);
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length, Peer peer) {
        return operations().receive(buffer, offset, length, peer);
    }

    @Override
    public CompletableFuture<Received> receive(List<MemorySegment> buffers, Peer peer) {
        return operations().receive(buffers, peer);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, long tag, long ignore) {
        return operations().receiveMatching(buffer, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, long offset, long length, long tag,
            long ignore) {
        return operations().receiveMatching(buffer, offset, length, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(List<MemorySegment> buffers, long tag, long ignore) {
        return operations().receiveMatching(buffers, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, Peer peer, long tag, long ignore) {
        return operations().receiveMatching(buffer, peer, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, long offset, long length, Peer peer,
            long tag, long ignore) {
        return operations().receiveMatching(buffer, offset, length, peer, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(List<MemorySegment> buffers, Peer peer, long tag,
            long ignore) {
        return operations().receiveMatching(buffers, peer, tag, ignore);
    }

    @Override
    public CompletableFuture<Void> write(MemorySegment buffer, Peer peer, RemoteRegion region, long offset) {
        return operations().write(buffer, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> write(MemorySegment buffer, long bufferOffset, long length, Peer peer,
            RemoteRegion region, long offset) {
        return operations().write(buffer, bufferOffset, length, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> write(List<MemorySegment> buffers, Peer peer, RemoteRegion region, long offset) {
        return operations().write(buffers, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> writeData(MemorySegment buffer, long data, Peer peer, RemoteRegion region,
            long offset) {
        return operations().writeData(buffer, data, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> writeData(MemorySegment buffer, long bufferOffset, long length, long data,
            Peer peer, RemoteRegion region, long offset) {
        return operations().writeData(buffer, bufferOffset, length, data, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> read(MemorySegment buffer, Peer peer, RemoteRegion region, long offset) {
        return operations().read(buffer, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> read(MemorySegment buffer, long bufferOffset, long length, Peer peer,
            RemoteRegion region, long offset) {
        return operations().read(buffer, bufferOffset, length, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> read(List<MemorySegment> buffers, Peer peer, RemoteRegion region, long offset) {
        return operations().read(buffers, peer, region, offset);
    }

    @Override
    public CompletableFuture<Long> fetchAndAdd(Peer peer, RemoteRegion region, long offset, long addend) {
        return operations().fetchAndAdd(peer, region, offset, addend);
    }

    @Override
    public CompletableFuture<Long> compareAndSwap(Peer peer, RemoteRegion region, long offset, long expected,
            long replacement) {
        return operations().compareAndSwap(peer, region, offset, expected, replacement);
    }

    @Override
    public CompletableFuture<Void> apply(MemorySegment operand, Peer peer, RemoteRegion region, long offset,
            Datatype type, AtomicOp op) {
        return operations().apply(operand, peer, region, offset, type, op);
    }

    @Override
    public CompletableFuture<Void> fetchAndApply(MemorySegment operand, MemorySegment result, Peer peer,
            RemoteRegion region, long offset, Datatype type, AtomicOp op) {
        return operations().fetchAndApply(operand, result, peer, region, offset, type, op);
    }

    @Override
    public CompletableFuture<Void> compareAndApply(MemorySegment operand, MemorySegment comparand,
            MemorySegment result, Peer peer, RemoteRegion region, long offset, Datatype type, AtomicOp op) {
        return operations().compareAndApply(operand, comparand, result, peer, region, offset, type, op);
    }
}
