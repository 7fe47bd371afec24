// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.drive.Gathered;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.Leftover;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Receives the messages for all callers and services of a node with one set of receives: so the provider's queue, and
 * the memory, suffice for any number of them. Exists while there is at least one.
 */
public final class Hub {
    /** Up to this length a payload is copied rather than sent as a message of its own. */
    private static final int LONGEST_INLINE = (16 << 10) + AnswerRoom.BYTES;
    /** The same where memory has to be registered, of which programs may be allowed little. */
    private static final int REGISTERED_INLINE = 4096 - 64;
    private static final Log LOG = Log.of(Node.class);
    private static final Map<NodeImpl, Hub> ALL = new ConcurrentHashMap<>();

    /** What remains to be done for a message. */
    public interface Ending {
        /** Nothing yet: the receiver keeps the buffer, and will give it back. */
        Ending LATER = () -> { };

        void finish();
    }

    /** A caller or a service. */
    public interface Receiver {
        /**
         * A message to this receiver has come; its header is {@linkplain Frame#isSound sound}.
         *
         * @return what remains to be done once the buffer is in use again; null if nothing
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
    /** The longest payload that this node takes in one message with the header. */
    public final int inline;
    public final Discards discards;
    public final EarlyRooms earlyRooms;
    final Outlets outlets = new Outlets();
    private final NodeImpl node;
    final HubBuffers buffers;
    /** Shared by all services of the node. */
    public final Backlog backlog = new Backlog();
    public final Refusals refusals = new Refusals(this);
    private final Intakes intakes;
    private final Lingering lingering;
    private volatile Routes receivers = Routes.NONE;
    /** Targets of services that were closed: a caller that asks for one has not mistaken its number. */
    private final Set<Long> former = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    /** Whether messages of another version were logged. */
    private volatile boolean hasForeign;

    private Hub(NodeImpl node) {
        this.node = node;
        this.wire = new Wire(node);
        this.discards = Discards.of(wire);
        this.earlyRooms = new EarlyRooms(wire, discards);
        this.inline = (int) Math.min(wire.eagerSize() - Frame.HEADER,
                ((DomainImpl) node.domain()).state().registersLocally() ? REGISTERED_INLINE : LONGEST_INLINE);
        this.buffers = new HubBuffers(node.domain(), Frame.HEADER + inline, this::isClosed);
        this.intakes = new Intakes(this);
        this.lingering = new Lingering(node, this::closeIfUnused);
    }

    /** The hub of a node, opened if need be, with one more receiver. */
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
            if (open == null) {
                one.discards.begin();
            }
            return one;
        });
        try {
            hub.intakes.post();
        } catch (RuntimeException | Error e) {
            hub.remove(tag, receiver);
            hub.closeIfUnused();
            throw e;
        }
        return hub;
    }

    /** Once closed, messages that wait in an outlet are no longer sent by themselves. */
    boolean isClosed() {
        return closed;
    }

    private synchronized void add(long tag, Receiver receiver) {
        if (receivers.find(tag) != null) {
            throw new IllegalStateException("Service.open: the node has a service " + (tag & 0xFFFF) + " already");
        }
        receivers = receivers.with(tag, receiver);
        former.remove(tag);
    }

    private synchronized void remove(long tag, Receiver receiver) {
        receivers = receivers.without(tag, receiver);
    }

    /**
     * The receiver is closed.
     *
     * @param more whether something may still be on its way to it. Then messages are received for a while: what nobody
     *     receives stays with the provider, and blocks what else these nodes tell each other
     */
    public void leave(long tag, Receiver receiver, boolean more) {
        if (Wire.isRequests(tag)) {
            former.add(tag);
        }
        remove(tag, receiver);
        if (more && node.isOpen()) {
            lingering.begin();
        } else {
            closeIfUnused();
        }
    }

    private boolean isUnused() {
        return receivers.isEmpty() && !lingering.isUnderWay();
    }

    private void closeIfUnused() {
        boolean[] closes = new boolean[1];
        ALL.computeIfPresent(node, (key, open) -> {
            closes[0] = open == this && isUnused();
            closed |= closes[0];
            if (closes[0]) {
                // in here, as another hub may be opened at once
                node.drive().gathers(Gathered.NOTHING);
            }
            return closes[0] ? null : open;
        });
        if (closes[0]) {
            outlets.sendAll();
            intakes.stop();
            discards.end();
            Leftover.close(buffers::closeOrAbandon);
        }
    }

    /** A buffer; null if there is none, no memory for more of them, or the pool is closed. */
    public PooledBuffer take() {
        return buffers.take();
    }

    void cannotHandle(long length, Throwable why) {
        if (node.isOpen()) {
            LOG.error("a message of {} bytes to {} could not be handled", length, node, why);
        }
    }

    /** Hands out what has come in the buffer of a receive. */
    Ending dispatch(PooledBuffer buffer, long length) {
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

    /** Nobody can answer it, as its meaning is unknown. */
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

    /** Hands out a sound message. Its buffer may be kept if it is the only message there. */
    Ending dispatch(PooledBuffer buffer, MemorySegment frame, long length) {
        long target = Frame.target(frame);
        Receiver receiver = receivers.find(target);
        if (receiver != null) {
            return receiver.arrived(buffer, frame, length);
        }
        Hub next = closed ? ALL.get(node) : null;
        if (next != null && next != this) {
            // its receives are queued behind those that are being given up here
            return next.dispatchCopy(frame, length);
        }
        lingering.heard();
        // while lingering, it is not known whether there will be a service
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

    /** Nobody takes that message. A payload that follows it is received nevertheless. */
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
        boolean isClosed = former.contains(target);
        refusals.send(greeting, buffer, isClosed, (isClosed ? "there is no more a service " : "there is no service ")
                + (target & 0xFFFF) + " at " + node.address());
        return Ending.LATER;
    }

    /** Sends, and runs {@code then} when the memory may be used again, possibly at once. */
    public void send(MemorySegment frame, long length, Peer peer, long tag, Runnable then) {
        CompletableFuture<Void> sent;
        try {
            sent = wire.send(frame, length, peer, tag);
        } catch (IllegalStateException | IllegalArgumentException | FabricException peerOrNodeClosed) {
            then.run();
            return;
        }
        if (sent == null) {
            then.run();
        } else {
            sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, then));
        }
    }

    /** A receive is not posted any more, as the node is closed or the receive was stopped. */
    void ended(PooledBuffer buffer) {
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
