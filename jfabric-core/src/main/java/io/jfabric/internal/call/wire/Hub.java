// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.drive.Gathered;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.StandingReceive;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.life.Leftover;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the messages of all callers and services of a node, by one set of receives: so a provider's queue, and the
 * memory, are enough for any number of them. Exists while there is one.
 */
public final class Hub {
    /** How long a payload is worth to be copied, for not to be a message of its own. */
    private static final int LONGEST_INLINE = (16 << 10) + AnswerRoom.BYTES;
    /** Where memory has to be registered, which programs may do with little. */
    private static final int REGISTERED_INLINE = 4096 - 64;
    private static final int MOST_RECEIVES = 256;
    /** At a time: each may be the try to reach somebody who is not there. */
    private static final int MOST_REFUSALS = 256;
    /** So much of the provider's queue is for others. */
    private static final int SHARE = 4;
    /** Whose receivers are gone receives until nothing has come for so many milliseconds, or for so long. */
    private static final long LINGER = 1000;
    private static final long LONGEST_LINGER = TimeUnit.SECONDS.toNanos(30);
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final Map<NodeImpl, Hub> ALL = new ConcurrentHashMap<>();

    /** What follows on a message. */
    public interface Ending {
        /** Nothing yet: the buffer is kept, and will be given back. */
        Ending LATER = () -> { };

        void finish();
    }

    /** A caller or a service. */
    public interface Receiver {
        /**
         * A message has come that was sent to it; its header is {@linkplain Frame#isSound sound}.
         *
         * @return what is still to be done when the buffer is used again; null if nothing
         */
        Ending arrived(PooledBuffer buffer, MemorySegment frame, long length);

        /** A message of another version of the protocol has come. */
        default void foreign() {
            // only services count them
        }

        /** The node was closed. */
        void ended();
    }

    public final Wire wire;
    /** How long a payload may be that follows its header at once, to this node. */
    public final int inline;
    public final Discards discards;
    final Outlets outlets = new Outlets();
    private final NodeImpl node;
    final HubBuffers buffers;
    /** Of all services. */
    public final Backlog backlog = new Backlog();
    private final AtomicReferenceArray<Intake> posted;
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile Routes receivers = Routes.NONE;
    private volatile boolean closed;
    /** When something came last that is nobody's. */
    private volatile long heard;
    /** Whether it was told that there are messages of another version. */
    private volatile boolean hasForeign;
    /** Whether it stays for what is still on its way. */
    private boolean lingers;
    private long lingerEnd;

    private Hub(NodeImpl node) {
        this.node = node;
        this.wire = new Wire(node);
        this.discards = new Discards(wire);
        this.inline = (int) Math.min(wire.eagerSize() - Frame.HEADER,
                ((DomainImpl) node.domain()).state().registersLocally() ? REGISTERED_INLINE : LONGEST_INLINE);
        this.buffers = new HubBuffers(node.domain(), Frame.HEADER + inline, this::isClosed);
        long queue = node.info().rx().size();
        int receives = Math.clamp((queue <= 0 ? Long.MAX_VALUE : queue) / SHARE, 8, MOST_RECEIVES);
        this.posted = new AtomicReferenceArray<>(Math.min(receives, Math.max(1, node.options().receiveLimit() / 2)));
    }

    /** That of a node, with one more receiver. */
    public static Hub join(NodeImpl node, long tag, Receiver receiver) {
        Hub hub = ALL.compute(node, (key, open) -> {
            Hub one = open == null ? new Hub(node) : open;
            try {
                one.add(tag, receiver);
                node.drive().gathers(one.outlets);
            } catch (RuntimeException | Error e) {
                if (open == null) {
                    one.buffers.closeOrAbandon();
                }
                throw e;
            }
            return one;
        });
        try {
            hub.listen();
        } catch (RuntimeException | Error e) {
            hub.remove(tag, receiver);
            hub.closeIfUnused();
            throw e;
        }
        return hub;
    }

    /** Posts the receives, or those that who joined before could not post. */
    private void listen() {
        synchronized (posted) {
            for (int i = 0; i < posted.length(); i++) {
                if (posted.get(i) == null) {
                    open(i);
                }
            }
        }
    }

    /** Whether what waits is not sent by itself any more. */
    boolean isClosed() {
        return closed;
    }

    private synchronized void add(long tag, Receiver receiver) {
        if (receivers.find(tag) != null) {
            throw new IllegalStateException("Service.open: the node has a service " + (tag & 0xFFFF) + " already");
        }
        receivers = receivers.with(tag, receiver);
    }

    private synchronized void remove(long tag, Receiver receiver) {
        receivers = receivers.without(tag, receiver);
    }

    /**
     * The receiver is closed.
     *
     * @param more whether something may still be on its way to it. Then messages are received for a while: what nobody
     *     receives stays with the provider, and in the way of what else these nodes tell each other
     */
    public void leave(long tag, Receiver receiver, boolean more) {
        remove(tag, receiver);
        if (more && node.isOpen()) {
            synchronized (this) {
                long now = System.nanoTime();
                heard = now;
                lingerEnd = now + LONGEST_LINGER;
                if (lingers) {
                    return;
                }
                lingers = true;
            }
            Ticks.once(LINGER, this::linger);
        } else {
            closeIfUnused();
        }
    }

    /** Until nothing has come for a while. */
    private void linger() {
        synchronized (this) {
            long now = System.nanoTime();
            lingers = node.isOpen() && now - lingerEnd < 0 && now - heard < TimeUnit.MILLISECONDS.toNanos(LINGER);
            if (lingers) {
                Ticks.once(LINGER, this::linger);
                return;
            }
        }
        // not in the thread of the clock, as the provider may take its time
        Thread.ofVirtual().name("jfabric-hub").start(this::closeIfUnused);
    }

    private synchronized boolean isUnused() {
        return receivers.isEmpty() && !lingers;
    }

    private void closeIfUnused() {
        boolean[] closes = new boolean[1];
        ALL.computeIfPresent(node, (key, open) -> {
            closes[0] = open == this && isUnused();
            closed |= closes[0];
            if (closes[0]) {
                // here, as there may be another at once
                node.drive().gathers(Gathered.NOTHING);
            }
            return closes[0] ? null : open;
        });
        if (closes[0]) {
            outlets.sendAll();
            for (int i = 0; i < posted.length(); i++) {
                Intake intake = posted.get(i);
                if (intake != null) {
                    intake.receive.stop();
                }
            }
            discards.close();
            Leftover.close(buffers::closeOrAbandon);
        }
    }

    private void open(int index) {
        Intake intake = new Intake();
        posted.set(index, intake);
        try {
            intake.begin(buffers.takeFirst());
        } catch (RuntimeException | Error e) {
            posted.set(index, null);
            throw e;
        }
    }

    /** A buffer; null if there is none, also for want of memory for more of them, or if the pool is closed. */
    public PooledBuffer take() {
        return buffers.take();
    }

    /** One of the receives, with a buffer of the pool. */
    private final class Intake implements StandingReceive.Taker {
        private volatile StandingReceive receive = wire.receive(this);
        private PooledBuffer buffer;

        /** The first time. */
        void begin(PooledBuffer first) {
            buffer = first;
            try {
                receive.next(first.segment());
            } catch (RuntimeException refused) {
                ended(first);
                if (node.isOpen()) {
                    throw refused;
                }
            }
        }

        void post(PooledBuffer next) {
            if (closed) {
                receive.stop();
                next.close();
                return;
            }
            buffer = next;
            try {
                receive.next(next.segment());
            } catch (IllegalStateException nodeClosed) {
                ended(next);
                return;
            }
            if (closed) {
                receive.stop();
            }
        }

        @Override
        public void arrived(long length) {
            PooledBuffer full = buffer;
            Ending ending;
            try {
                ending = dispatch(full, length);
            } catch (RuntimeException | Error e) {
                cannotHandle(length, e);
                // somebody may still use the buffer
                ending = Ending.LATER;
            }
            try {
                // before what the program has appended, which may wait for more messages
                if (ending != Ending.LATER) {
                    post(full);
                } else {
                    postAnother();
                }
            } finally {
                // whatever that throws: nobody else would end it
                if (ending != null) {
                    ending.finish();
                }
            }
            outlets.sendLate();
        }

        private void postAnother() {
            PooledBuffer next = closed ? null : buffers.takeToReceive();
            if (next != null) {
                post(next);
            } else if (!closed) {
                buffers.takeLaterToReceive().whenComplete((buffer, none) -> {
                    if (buffer != null) {
                        post(buffer);
                    } else {
                        receive.stop();
                    }
                });
            }
        }

        @Override
        public void failed(Throwable why) {
            if (closed || !node.isOpen()) {
                ended(buffer);
            } else {
                // longer than any message of ours. Not at once, as the next may fail at once, too
                receive = wire.receive(this);
                Ticks.once(1, () -> Completing.startAside(() -> post(buffer)));
            }
        }
    }

    void cannotHandle(long length, Throwable why) {
        if (node.isOpen()) {
            LOG.error("a message of {} bytes to {} could not be handled", length, node, why);
        }
    }

    private Ending dispatch(PooledBuffer buffer, long length) {
        MemorySegment frame = buffer.segment();
        if (!Frame.isSound(frame, length)) {
            if (Frame.isForeign(frame, length)) {
                foreign(frame);
            }
            return null;
        }
        return Frame.type(frame) == Frame.BUNDLE ? new Unbundling(this, buffer, length).begin()
                : dispatch(buffer, frame, length);
    }

    /** Nobody can answer it: what it means is not known. */
    private void foreign(MemorySegment frame) {
        if (!hasForeign) {
            hasForeign = true;
            LOG.warn("{} gets calls or answers of another version of jfabric: their protocol is {}, and it speaks {}. "
                    + "Such calls fail as if there were no service; use one version everywhere", node,
                    Frame.version(frame), Frame.version());
        }
        Receiver receiver = receivers.find(Frame.target(frame));
        if (receiver != null) {
            receiver.foreign();
        }
    }

    /** A sound message, in a buffer that may be kept if it is the only one there. */
    Ending dispatch(PooledBuffer buffer, MemorySegment frame, long length) {
        long target = Frame.target(frame);
        Receiver receiver = receivers.find(target);
        if (receiver != null) {
            return receiver.arrived(buffer, frame, length);
        }
        Hub next = closed ? ALL.get(node) : null;
        if (next != null && next != this) {
            // its receives are behind those that are being given up here
            return next.dispatchCopy(frame, length);
        }
        heard = System.nanoTime();
        // who lingers does not know whether there will be a service
        if (Wire.isRequests(target) && Frame.type(frame) == Frame.CONNECT && !receivers.isEmpty()) {
            return refuse(buffer, frame, target, length);
        }
        dropped(frame);
        return null;
    }

    private Ending dispatchCopy(MemorySegment frame, long length) {
        PooledBuffer copy = take();
        if (copy == null) {
            dropped(frame);
            return null;
        }
        MemorySegment.copy(frame, 0, copy.segment(), 0, length);
        Ending ending = dispatch(copy, copy.segment(), length);
        if (ending == Ending.LATER) {
            return null;
        }
        copy.close();
        return ending;
    }

    /** Nobody takes that message. The payload that follows it, if one does, is received nevertheless. */
    public void dropped(MemorySegment frame) {
        long size = Frame.length(frame);
        if (Frame.type(frame) == Frame.CALL_LARGE && size <= Wire.EAGER
                && Wire.isEager(LongFrames.eagerTag(frame), (int) Frame.target(frame) & 0xFFFF)) {
            discards.add(size, LongFrames.eagerTag(frame));
        }
    }

    private Ending refuse(PooledBuffer buffer, MemorySegment frame, long target, long length) {
        Greeting greeting = Greeting.read(node, inline, frame, length);
        if (greeting == null) {
            return null;
        }
        refuse(greeting, buffer, "there is no service " + (target & 0xFFFF) + " at " + node.address());
        return Ending.LATER;
    }

    /** Says why who said hello gets no place, from that buffer; unless many others are told, maybe out of reach. */
    public void refuse(Greeting greeting, PooledBuffer buffer, String why) {
        if (refusals.incrementAndGet() > MOST_REFUSALS) {
            refusals.decrementAndGet();
            buffer.close();
            return;
        }
        MemorySegment frame = buffer.segment();
        long length = new Refusal(greeting.hello(), greeting.key(), why)
                .write(frame.asSlice(0, Frame.HEADER + greeting.inlineBytes()));
        send(frame, length, greeting.peer(), greeting.tag(), () -> {
            refusals.decrementAndGet();
            buffer.close();
        });
    }

    /** Sends, and runs something when the memory may be used again: maybe at once. */
    public boolean send(MemorySegment frame, long length, Peer peer, long tag, Runnable then) {
        CompletableFuture<Void> sent;
        try {
            sent = wire.send(frame, length, peer, tag);
        } catch (IllegalStateException | IllegalArgumentException | FabricException peerOrNodeClosed) {
            then.run();
            return false;
        }
        if (sent == null) {
            then.run();
        } else {
            sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, then));
        }
        return true;
    }

    private void ended(PooledBuffer buffer) {
        buffer.close();
        if (!node.isOpen()) {
            ALL.remove(node, this);
            closed = true;
            outlets.sendAll();
            for (Receiver receiver : receivers.all()) {
                receiver.ended();
            }
            if (buffers.isUnused()) {
                buffers.closeOrAbandon();
            }
        }
    }
}
