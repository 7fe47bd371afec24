// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Requests that were announced, and wait until they have come to where this side has made room for them. */
final class LongRequests {
    /** How long an announced request may take to come: as long as the node's operations may, but within these. */
    private static final Duration SHORTEST_PATIENCE = Duration.ofSeconds(30);
    private static final Duration LONGEST_PATIENCE = Duration.ofHours(1);
    /** More messages than may be out of order; limited so that no peer can fill the memory. */
    private static final int MOST_DROPPED = 1024;

    private final ServiceImpl service;
    private final Replies replies;
    private final Hub hub;
    private final Large large;
    /** In nanoseconds. Even a caller that is gone takes a place and memory for that long, if nobody hears of it. */
    private final long patience;
    private final Map<Wire.Incoming, Owner> incoming = new ConcurrentHashMap<>();
    /** Dropped before they were announced, as messages may be handled out of order, or after they had come. */
    private final Set<Owner> dropped = Collections.synchronizedSet(new LinkedHashSet<>());

    /** The caller of a request, and the number of its call. */
    private record Owner(Connection connection, long id) {
    }

    LongRequests(Replies replies, Hub hub, Large large) {
        this.service = replies.service;
        this.replies = replies;
        this.hub = hub;
        this.large = large;
        this.patience = Math.clamp(Clock.nanos(replies.node.options().deadline()), SHORTEST_PATIENCE.toNanos(),
                LONGEST_PATIENCE.toNanos());
    }

    /** A request is announced. */
    void begin(PooledBuffer buffer, Connection connection, MemorySegment frame, AnswerRoom room) {
        long id = Frame.id(frame);
        long size = Frame.length(frame);
        long payload = LongFrames.eagerTag(frame);
        boolean follows = size <= Wire.EAGER && Wire.isEager(payload, service.number(), connection.number());
        boolean fits = size <= service.largestRequest(connection);
        boolean enters = fits && service.enter(connection);
        Large.Block block = enters ? large.take(size) : null;
        PooledBuffer control = block == null || follows ? null : hub.take();
        if (block != null && (follows || control != null)) {
            receive(connection, buffer, control, frame, block, room);
            return;
        }
        if (block != null) {
            block.giveBack();
        }
        if (enters) {
            service.leave(connection);
        }
        if (follows) {
            hub.dropped(frame);
        }
        replies.refuse(buffer, connection, id, fits ? Frame.BUSY : Frame.TOO_LONG, room);
    }

    /** Receives it, and says where to send it; unless it follows at once: then there is no control buffer. */
    private void receive(Connection connection, PooledBuffer buffer, PooledBuffer control, MemorySegment frame,
            Large.Block block, AnswerRoom room) {
        long id = Frame.id(frame);
        long size = Frame.length(frame);
        long time = Frame.time(frame);
        MemorySegment request = block.memory(size);
        long start = System.nanoTime();
        Duration deadline = Duration.ofNanos(Math.clamp(time, 1, patience));
        Wire.Incoming one;
        try {
            one = control != null ? hub.wire.receivePayload(request, deadline)
                    : hub.wire.receivePayload(request, LongFrames.eagerTag(frame), deadline);
        } catch (RuntimeException | Error cannot) {
            // some pieces may be under way
            block.discard();
            service.leave(connection);
            if (control != null) {
                control.close();
            } else {
                hub.dropped(frame);
            }
            replies.refuse(buffer, connection, id, Frame.BUSY, room);
            throw cannot;
        }
        // a caller that was not told where to send it does not send it
        boolean comes = control == null || !one.received().isCompletedExceptionally();
        Owner owner = new Owner(connection, id);
        incoming.put(one, owner);
        one.received().whenComplete((received, failure) -> {
            incoming.remove(one);
            long left = time == Frame.NO_DEADLINE ? time : time - (System.nanoTime() - start);
            IncomingCall call = new IncomingCall(service, connection, id, left, buffer, failure == null ? block : null,
                    room, request);
            if (failure == null && received == size) {
                service.handling().dispatch(call);
            } else {
                notReceived(call, NodeFuture.cause(failure));
            }
            if (failure != null) {
                block.discard();
                if (comes) {
                    // it may still come
                    one.released().thenRun(() -> hub.discards.add(size, one.tags()));
                }
            }
        });
        if (service.isClosed() || !replies.callers.has(connection) || dropped.remove(owner)) {
            // whoever closes the service, ends the session or drops the request may have looked before it was listed
            one.cancel();
        }
        if (!comes) {
            control.close();
        } else if (control != null) {
            LongFrames.go(control.segment(), connection.number(), connection.callerKey(), id, size, one.tag());
            replies.send(connection, Frame.GO, control.segment(), Frame.HEADER, control::close);
        }
    }

    private void notReceived(IncomingCall call, Throwable failure) {
        switch (failure) {
            case OverloadException full -> service.ends().refuse(call);
            case FabricException why when why.error() != FabricError.ETIMEDOUT -> service.ends().lose(call,
                    new IllegalStateException("the service could not receive the request: " + why.getMessage()));
            // the caller has given it up, or is gone
            case null, default -> service.ends().giveUp(call);
        }
    }

    /** Its caller cannot send it. If it has come nevertheless it is handled; if it comes later it is discarded. */
    void drop(Connection connection, MemorySegment frame) {
        Owner owner = new Owner(connection, Frame.id(frame));
        remember(owner);
        cancel(owner::equals);
    }

    private void remember(Owner owner) {
        synchronized (dropped) {
            dropped.add(owner);
            if (dropped.size() > MOST_DROPPED) {
                dropped.remove(dropped.iterator().next());
            }
        }
    }

    /** Gives up all requests that have not come. */
    void cancel() {
        cancel(incoming.keySet());
    }

    /** The same for a session that is over. */
    void cancel(Connection over) {
        dropped.removeIf(owner -> owner.connection == over);
        cancel((Owner owner) -> owner.connection == over);
    }

    private void cancel(Predicate<Owner> whose) {
        List<Wire.Incoming> its = incoming.entrySet().stream().filter(one -> whose.test(one.getValue()))
                .map(Map.Entry::getKey).toList();
        if (!its.isEmpty()) {
            try {
                cancelLater(its);
            } catch (OutOfMemoryError noThread) {
                // they end by themselves when their time is over
            }
        }
    }

    /** In another thread, as this one may hold a lock; but if only the program polls, where it does. */
    private void cancelLater(List<Wire.Incoming> some) {
        Drive drive = replies.node.drive();
        if (drive.hasEngine()) {
            Aside.start(() -> cancel(some));
        } else {
            drive.later(() -> {
                drive.atOnce(() -> cancel(some));
                return true;
            });
        }
    }

    private void cancel(Collection<Wire.Incoming> some) {
        replies.node.cancelAll(some.stream().flatMap(one -> one.pieces().stream()).toList());
    }
}
