// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call;

import io.jfabric.FabricException;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.async.Received;
import io.jfabric.internal.async.NodeImpl;
import io.jfabric.internal.async.Ticks;
import io.jfabric.internal.pool.BufferPoolImpl;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Receives the messages of all callers and services of a node, by one set of receives: so a provider's queue, and the
 * memory, are enough for any number of them. Exists while there is one.
 */
final class Hub {
    /** How long a payload may be that follows its header at once. */
    static final int INLINE = 4096 - 64;
    static final int FRAME = Frame.HEADER + INLINE;
    private static final int BUFFERS = 1 << 16;
    private static final int MOST_RECEIVES = 256;
    /** So much of the provider's queue is for others. */
    private static final int SHARE = 4;
    private static final Map<NodeImpl, Hub> ALL = new ConcurrentHashMap<>();

    /** A caller or a service. */
    interface Receiver {
        /**
         * A message has come that was sent to it; its header is {@linkplain Frame#isSound sound}.
         *
         * @return whether it keeps the buffer, and will give it back
         */
        boolean arrived(PooledBuffer buffer, MemorySegment frame, long length);

        /** The node was closed. */
        void ended();
    }

    final Wire wire;
    private final NodeImpl node;
    private final BufferPoolImpl pool;
    private final AtomicReferenceArray<CompletableFuture<Received>> posted;
    /** By tag. Copied when it changes. */
    private volatile Map<Long, Receiver> receivers = Map.of();
    private volatile boolean closed;

    private Hub(NodeImpl node) {
        this.node = node;
        this.wire = new Wire(node);
        this.pool = BufferPoolImpl.open(node.domain(), FRAME, BUFFERS);
        long queue = node.info().rx().size();
        int receives = Math.clamp((queue <= 0 ? Long.MAX_VALUE : queue) / SHARE, 8, MOST_RECEIVES);
        this.posted = new AtomicReferenceArray<>(Math.min(receives, Math.max(1, node.options().receiveLimit() / 2)));
    }

    /** That of a node, with one more receiver. */
    static Hub join(NodeImpl node, long tag, Receiver receiver) {
        boolean[] isNew = new boolean[1];
        Hub hub = ALL.compute(node, (key, open) -> {
            isNew[0] = open == null;
            Hub one = open == null ? new Hub(node) : open;
            try {
                one.add(tag, receiver);
            } catch (RuntimeException e) {
                if (isNew[0]) {
                    one.pool.close();
                }
                throw e;
            }
            return one;
        });
        if (isNew[0]) {
            for (int i = 0; i < hub.posted.length(); i++) {
                hub.receive(i, hub.pool.tryTake().orElseThrow());
            }
        }
        return hub;
    }

    private synchronized void add(long tag, Receiver receiver) {
        Map<Long, Receiver> more = new HashMap<>(receivers);
        if (more.putIfAbsent(tag, receiver) != null) {
            throw new IllegalStateException("Service.open: the node has a service " + (tag & 0xFFFF) + " already");
        }
        receivers = more;
    }

    private synchronized boolean remove(long tag, Receiver receiver) {
        Map<Long, Receiver> fewer = new HashMap<>(receivers);
        fewer.remove(tag, receiver);
        receivers = fewer;
        return fewer.isEmpty();
    }

    /** The receiver is closed. */
    void leave(long tag, Receiver receiver) {
        ALL.computeIfPresent(node, (key, open) -> {
            if (open != this || !remove(tag, receiver)) {
                return open;
            }
            closed = true;
            return null;
        });
        if (closed) {
            for (int i = 0; i < posted.length(); i++) {
                CompletableFuture<Received> receive = posted.get(i);
                if (receive != null) {
                    receive.cancel(true);
                }
            }
            pool.closeOrAbandon();
        }
    }

    /** A buffer to send from; null if there is none. */
    PooledBuffer take() {
        return pool.tryTake().orElse(null);
    }

    private void receive(int index, PooledBuffer buffer) {
        if (closed) {
            buffer.close();
            return;
        }
        CompletableFuture<Received> receive;
        try {
            receive = wire.receive(buffer.segment());
        } catch (IllegalStateException nodeClosed) {
            ended(buffer);
            return;
        }
        posted.set(index, receive);
        receive.whenComplete((received, failure) -> received(index, buffer, received, failure));
        if (closed) {
            receive.cancel(true);
        }
    }

    private void received(int index, PooledBuffer buffer, Received received, Throwable failure) {
        if (failure != null) {
            if (closed || !node.isOpen()) {
                ended(buffer);
            } else {
                // longer than any message of ours. Not at once, as the next may fail at once, too
                Ticks.once(1, () -> receive(index, buffer));
            }
            return;
        }
        PooledBuffer next = pool.tryTake().orElse(null);
        if (next != null) {
            receive(index, next);
        }
        boolean kept = dispatch(buffer, received);
        if (next != null) {
            if (!kept) {
                buffer.close();
            }
        } else if (kept) {
            pool.takeLater().thenAccept(later -> receive(index, later));
        } else {
            receive(index, buffer);
        }
    }

    private boolean dispatch(PooledBuffer buffer, Received received) {
        MemorySegment frame = buffer.segment();
        if (!Frame.isSound(frame, received.length())) {
            return false;
        }
        long target = Frame.target(frame);
        Receiver receiver = receivers.get(target);
        if (receiver != null) {
            return receiver.arrived(buffer, frame, received.length());
        }
        if (Wire.isRequests(target) && Frame.type(frame) == Frame.CONNECT) {
            return refuse(buffer, frame, target, received.length());
        }
        return false;
    }

    private boolean refuse(PooledBuffer buffer, MemorySegment frame, long target, long length) {
        Greeting greeting = Greeting.read(node, frame, length);
        if (greeting == null) {
            return false;
        }
        int text = Frame.text(frame, "there is no service " + (target & 0xFFFF) + " at " + node.address());
        Frame.write(frame, Frame.REFUSE, 0, greeting.key(), 0, text, 0, 0);
        send(frame, Frame.HEADER + text, greeting.peer(), greeting.tag(), buffer::close);
        return true;
    }

    /** Sends, and afterwards runs something: maybe at once. */
    boolean send(MemorySegment frame, long length, Peer peer, long tag, Runnable then) {
        CompletableFuture<Void> sent;
        try {
            sent = wire.send(frame, length, peer, tag);
        } catch (IllegalStateException | FabricException peerOrNodeClosed) {
            then.run();
            return false;
        }
        if (sent == null) {
            then.run();
        } else {
            sent.whenComplete((done, failure) -> then.run());
        }
        return true;
    }

    private void ended(PooledBuffer buffer) {
        buffer.close();
        if (!node.isOpen()) {
            ALL.remove(node, this);
            closed = true;
            receivers.values().forEach(Receiver::ended);
            if (pool.taken() == 0) {
                pool.closeOrAbandon();
            }
        }
    }
}
