// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.FabricException;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.Lending;
import io.jfabric.internal.async.future.NodeFuture;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Several messages sent as one. Behind the header each follows with its length before it, at multiples of 8 bytes. */
final class Bundle {
    private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

    private final Hub hub;
    private final PooledBuffer buffer;
    private final MemorySegment memory;
    private final Sent sent;
    private final long since = System.nanoTime();
    private long length = Frame.HEADER;
    private int parts;
    /** The node's future; null if the bundle was sent at once. */
    private CompletableFuture<Void> sending;
    private Throwable failure;

    /** The future of every message in the bundle. Their memory is free at once, as they were copied. */
    static final class Sent extends NodeFuture<Void> implements Lending {
        Sent(Drive drive) {
            super(drive);
        }

        @Override
        public CompletableFuture<Void> released() {
            return NOW;
        }
    }

    Bundle(Hub hub, PooledBuffer buffer, Drive drive) {
        this.hub = hub;
        this.buffer = buffer;
        this.memory = buffer.segment();
        this.sent = new Sent(drive);
    }

    /** The length of a bundle of one message. */
    static long roomFor(long message) {
        return Frame.HEADER + size(message);
    }

    private static long size(long message) {
        return Long.BYTES + (message + 7 & -8);
    }

    boolean hasRoom(long message, long most) {
        return length + size(message) <= Math.min(most, memory.byteSize());
    }

    boolean isOlder(long nanos) {
        return System.nanoTime() - since > nanos;
    }

    CompletableFuture<Void> add(MemorySegment frame, long size) {
        Frame.set(memory, (int) length, size);
        MemorySegment.copy(frame, 0, memory, length + Long.BYTES, size);
        length += size(size);
        parts++;
        return sent;
    }

    /** Hands the bundle to the node. */
    void send(Peer peer, long target, Outlet outlet) {
        try {
            if (parts == 1) {
                long at = Frame.HEADER + Long.BYTES;
                long size = Frame.get(memory, Frame.HEADER);
                sending = hub.wire.send(memory.asSlice(at, size), size, peer, target, outlet);
            } else {
                Frame.write(memory, Frame.BUNDLE, 0, 0, 0, length - Frame.HEADER, 0, parts);
                sending = hub.wire.send(memory, length, peer, target, outlet);
            }
        } catch (IllegalStateException | IllegalArgumentException | FabricException gone) {
            failure = gone;
        }
    }

    /** After {@link #send}: the future of the messages ends with the bundle. */
    void end() {
        if (sending == null) {
            buffer.close();
            tell(failure);
        } else {
            sending.whenComplete((done, why) -> {
                hub.wire.node.whenReleased(sending, why, buffer::close);
                tell(why);
            });
        }
    }

    private void tell(Throwable why) {
        if (why == null) {
            sent.complete(null);
        } else {
            sent.completeExceptionally(why);
        }
    }

    /** The messages of a received bundle, up to the first that is cut off, without unsound ones and nested bundles. */
    static List<MemorySegment> read(MemorySegment frame, long received) {
        List<MemorySegment> all = new ArrayList<>();
        long at = Frame.HEADER;
        while (received - at >= Long.BYTES + Frame.HEADER) {
            long size = Frame.get(frame, (int) at);
            if (size < Frame.HEADER || size > received - at - Long.BYTES) {
                return all;
            }
            MemorySegment message = frame.asSlice(at + Long.BYTES, size);
            if (Frame.isSound(message, size) && Frame.type(message) != Frame.BUNDLE) {
                all.add(message);
            }
            at += size(size);
        }
        return all;
    }
}
