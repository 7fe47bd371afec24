// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.FabricException;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Ended;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.node.Unwatched;
import io.jfabric.internal.async.operation.Receive;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.group.Failure;
import io.jfabric.internal.group.Lost;
import io.jfabric.internal.group.Tags;
import io.jfabric.internal.group.Transport;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** The network of a group: a node's tagged messages. */
final class GroupTransport implements Transport {
    /** A message that may not be sent yet, and what withdraws it. */
    private record Waiting(TaggedSend message, BooleanSupplier withdraws) {
    }

    private static final long MILLI = 1_000_000;

    private final NodeImpl node;
    private final Drive drive;
    private final GroupMemory memory;
    private final List<PeerImpl> members;
    private final int rank;
    private final long longest;
    private final Words words;
    /** Null if messages need not wait for their receives. */
    private final ClearToSend clearance;
    /** Null if any number of short messages may come before their receives. */
    private final Allowance allowance;
    /** Null if messages may stay unreceived. */
    private final Leftovers leftovers;
    /** Shared by all groups of the node. */
    private final Lane receives;
    /** How many receives the node and the provider take. */
    private final long places;

    GroupTransport(NodeImpl node, GroupMemory memory, Words words, ClearToSend clearance, Allowance allowance,
            Leftovers leftovers, Lane receives, List<PeerImpl> members, int rank) {
        this.node = node;
        this.leftovers = leftovers;
        this.receives = receives;
        this.words = words;
        this.clearance = clearance;
        this.allowance = allowance;
        this.drive = node.drive();
        this.memory = memory;
        this.members = members;
        this.rank = rank;
        long limit = node.info().endpoint().maxMessageSize();
        this.longest = limit > 0 ? limit : Long.MAX_VALUE;
        this.places = Math.min(node.options().receiveLimit(), node.info().rx().size());
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
    public String whyLate() {
        boolean mayBeFull = Quirks.of(node.info().provider()).has(Quirk.RECEIVES_FILL_UP);
        return !mayBeFull ? "" : "; or more than " + node.info().rx().size() + " messages and receives of groups were "
                + "under way at one node, for which the provider has no room: let members wait for each other more "
                + "often";
    }

    @Override
    public boolean isOpen() {
        return node.isOpen();
    }

    @Override
    public List<Peer> members() {
        return List.copyOf(members);
    }

    @Override
    public boolean hasThread() {
        return drive.hasEngine();
    }

    /**
     * Leaves half of the node's and the provider's places to other groups of the node, whose members may start their
     * operations in another order.
     */
    @Override
    public boolean gainsByEarlyReceives(long bytes) {
        return waits(bytes) && receives.waiting() == 0 && receives.underWay() < places / 2;
    }

    @Override
    public Object send(MemorySegment data, int to, long tag, long deadline, Listener listener) {
        TaggedSend message = new TaggedSend(drive, members.get(to), deadline, data, 0, data.byteSize(), tag,
                false, 0);
        if (allowance != null) {
            allowance.sees(tag);
        }
        if (waits(data.byteSize())) {
            told(message, listener);
            long key = Tags.withRank(tag, to);
            clearance.await(message, members.get(to), tag, key);
            return new Waiting(message, () -> clearance.withdraw(message, key));
        }
        if (allowance != null) {
            told(message, listener);
            allowance.start(message, to);
            return new Waiting(message, () -> allowance.withdraw(message, to));
        }
        return started(message, listener);
    }

    @Override
    public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
        PeerImpl peer = members.get(from);
        // a connection has receives of its own; elsewhere the tag tells the sender
        PeerImpl only = peer.isConnection() ? peer : null;
        Lane lane = only == null ? receives : peer.receives();
        Receive receive = new Receive(node.common(), lane, only, peer.endpoint(), deadline, room, 0,
                room.byteSize(), true, tag, 0);
        boolean waits = waits(room.byteSize());
        boolean counts = allowance != null && !waits;
        if (allowance != null) {
            allowance.sees(tag);
        }
        started(receive, !counts ? listener : (bytes, failure) -> {
            // first: the listener may close the group
            if (failure == null) {
                allowance.received(tag, peer, from, rank);
            }
            listener.ended(bytes, failure);
        });
        if (waits) {
            clearance.tell(peer, tag, Tags.withRank(tag, rank), receive);
        }
        return receive;
    }

    /** Both sides have to decide alike for a message. */
    private boolean waits(long bytes) {
        return clearance != null && bytes > clearance.above();
    }

    private CompletableFuture<?> started(Operation<?> operation, Listener listener) {
        drive.start(operation);
        told(operation, listener);
        return operation;
    }

    private static void told(Operation<?> operation, Listener listener) {
        operation.whenComplete((value, failure) ->
                listener.ended(value instanceof Received received ? received.length() : 0, failure));
    }

    @Override
    public void cancel(Object operation) {
        if (!(operation instanceof Waiting(var message, var withdraws))) {
            ((CompletableFuture<?>) operation).cancel(true);
        } else if (withdraws.getAsBoolean()) {
            message.end(new CancellationException(message.what() + ": cancelled"));
        } else {
            message.cancel(true);
        }
    }

    @Override
    public void whenReleased(Object operation, Runnable action) {
        Operation<?> message = operation instanceof Waiting waiting ? waiting.message() : (Operation<?>) operation;
        message.released().thenRun(action);
    }

    @Override
    public Runnable onGone(int other, Consumer<FabricException> listener) {
        PeerImpl member = members.get(other);
        Consumer<FabricException> end = why -> listener.accept(why != null ? why
                : FabricException.of("peer " + member, Errno.ECANCELED, "it was closed"));
        member.isNeededBy(end);
        member.onEnd(end);
        return () -> {
            member.isNotNeededBy(end);
            member.forgetEnd(end);
        };
    }

    @Override
    public boolean hasGivenUp(int other) {
        return members.get(other).hasGivenUp();
    }

    @Override
    public Runnable onUnwatched(Runnable listener) {
        return Unwatched.of(node).add(listener);
    }

    @Override
    public Runnable at(long moment, Runnable action) {
        if (moment == Clock.NEVER) {
            return () -> { };
        }
        Future<?> timer = Aside.later(Math.max(0, Clock.left(moment)) / MILLI + 1, action);
        return () -> timer.cancel(false);
    }

    @Override
    public CompletableFuture<Void> tell(int other, Failure failure) {
        return tell(other, member -> words.tell(member, failure));
    }

    @Override
    public void tell(int other, Lost lost) {
        tell(other, member -> words.tell(member, lost));
    }

    private CompletableFuture<Void> tell(int other, Function<PeerImpl, CompletableFuture<Void>> word) {
        try {
            if (node.isOpen() && members.get(other).isOpen()) {
                return word.apply(members.get(other));
            }
        } catch (RuntimeException | Error refused) {
            // the node was closed meanwhile, or there is no memory left
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void runAll(List<Runnable> actions) {
        Completing.runAll(actions);
    }

    @Override
    public MemorySegment allocate(long size) {
        if (!node.isOpen()) {
            throw new IllegalStateException("the group's node is closed");
        }
        return memory.take(size);
    }

    @Override
    public void release(MemorySegment segment) {
        memory.give(segment);
    }

    @Override
    public <T> CompletableFuture<T> future(String what) {
        return new GroupFuture<>(drive, what);
    }

    @Override
    public CompletableFuture<Void> end(String method) {
        return new Ended(drive, method);
    }

    @Override
    public <T> void complete(CompletableFuture<T> future, T value, Throwable failure) {
        ((NodeFuture<T>) future).hand(value, failure);
    }

    @Override
    public void free(CompletableFuture<?> future) {
        ((GroupFuture<?>) future).free();
    }

    @Override
    public void abandon(long tag, long ignore) {
        if (leftovers != null) {
            leftovers.receiveAll(tag, ignore);
        }
    }

    @Override
    public void opened(long group) {
        if (allowance != null) {
            allowance.open(group);
        }
    }

    @Override
    public void closed(long group) {
        if (allowance != null) {
            allowance.close(group);
        }
    }

    @Override
    public void atEnd(Runnable action) {
        node.atEnd(action);
    }
}
