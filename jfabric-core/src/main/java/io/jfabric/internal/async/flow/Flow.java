// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.FabricException;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.life.GivingWay;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** How operations get to the provider: at once if it takes them, else through the lanes of those that wait. */
public final class Flow {
    /** Places for standing receives of the node's own messages, besides those that may be many. */
    private static final int ALWAYS = 48;
    /** Limits for each of the two kinds of messages that go first: with the provider in all, and for one peer. */
    public static final int FIRST = 256;
    public static final int FIRST_PER_PEER = 2;
    private static final long LEAST_PATIENCE = 1_000_000_000;

    private final NodeOptions options;
    private final Slots transmits;
    private final Slots receives;
    /**
     * The node's own receives have slots apart from the program's, so that neither take the others'. There are as many
     * for groups as for the program, as many for payloads, and somewhat more for standing receives.
     */
    private final Slots ownReceives;
    /** For messages that must not wait behind the program's sends: heartbeats and notices between group members. */
    private final Slots firstTransmits = new Slots(2 * FIRST, false, true);
    /** The half of these that group notices may take: many of them may go to members that take nothing. */
    private final Places words = new Places(FIRST);
    /** Lanes with waiting operations; each at most once. */
    private final LaneList lanes;
    /** As above, for lanes that go before those. */
    private final LaneList firstLanes = new LaneList(new ConcurrentLinkedQueue<>());
    private final WaitingRoom waiting;
    private final Deadlines deadlines = new Deadlines();
    private volatile boolean closed;
    /** Whether a close was refused: nobody polls any more, and nothing ends by itself. */
    private volatile boolean abandoned;

    public Flow(NodeOptions options) {
        this(options, new ConcurrentLinkedQueue<>());
    }

    /** The queue for the lanes must be empty and thread-safe. */
    Flow(NodeOptions options, Queue<Lane> lanes) {
        this.options = options;
        this.lanes = new LaneList(lanes);
        waiting = new WaitingRoom(options.backlog());
        transmits = new Slots(options.transmitLimit(), false, false);
        receives = new Slots(options.receiveLimit(), true, false);
        // the sum of the limits of its lanes
        ownReceives = new Slots(3 * options.receiveLimit() + ALWAYS, true, true);
    }

    /** A lane for transmits to one peer. */
    public Lane transmitLane() {
        return new Lane(this, transmits, lanes, options.peerLimit());
    }

    /** A lane for messages to one peer that go before all that waits, even if the backlog is full. */
    public Lane firstTransmitLane() {
        return new Lane(this, firstTransmits, firstLanes, FIRST_PER_PEER);
    }

    /** Another such lane, for notices of group members: heartbeats have places however many of these there are. */
    public Lane wordsLane() {
        return new Lane(this, firstTransmits, firstLanes, FIRST_PER_PEER, words);
    }

    /** A lane for the receives of one endpoint. */
    public Lane receiveLane() {
        return new Lane(this, receives, lanes, options.receiveLimit());
    }

    /** A lane for standing receives of the node's own messages, and nothing else: so it always has places. */
    public Lane internalReceiveLane() {
        return new Lane(this, ownReceives, lanes, options.receiveLimit() + ALWAYS);
    }

    /** A lane for those of the node's own receives of which any number may wait: those of groups, and of payloads. */
    public Lane manyReceivesLane() {
        return new Lane(this, ownReceives, lanes, options.receiveLimit());
    }

    public int underWay() {
        return transmits.count() + receives.count() + ownReceives.count() + firstTransmits.count();
    }

    public int waiting() {
        return waiting.count();
    }

    /** Whether any operation waits to be started. */
    public boolean isWaiting() {
        return !lanes.isEmpty() || !firstLanes.isEmpty();
    }

    /**
     * How long a receive that was given up may still get a message: the longest deadline of the node's operations,
     * after which the send has ended, too; or the default one if they have none.
     */
    long patience() {
        long longest = Clock.nanos(options.deadline());
        return Math.max(LEAST_PATIENCE,
                longest == Clock.NEVER ? Clock.nanos(NodeOptions.DEFAULT.deadline()) : longest);
    }

    public long earliest() {
        return deadlines.earliest();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Takes an operation in, from any thread; true if it waits, so that somebody must start it later. */
    public boolean submit(Operation<?> operation) {
        if (closed) {
            throw new IllegalStateException(operation.what() + ": the node is closed");
        }
        if (operation.lane.waiting() == 0 && startNew(operation)) {
            if (operation.phase() == Operation.REFUSED) {
                operation.finish();
            } else {
                note(operation.deadline);
                endIfAbandoned(operation);
            }
            return false;
        }
        Throwable refusal = operation.mayWait() ? queue(operation) : Errors.full(operation, 0);
        if (refusal != null) {
            operation.change(Operation.NEW, Operation.OVER);
            operation.end(refusal);
        }
        return refusal == null;
    }

    private boolean startNew(Operation<?> operation) {
        try {
            return start(operation, Operation.NEW);
        } catch (RuntimeException | Error e) {
            // an operation that is posted again resets its phase itself
            if (!operation.isPostedAgain()) {
                operation.change(Operation.NEW, Operation.OVER);
            }
            throw e;
        }
    }

    /** Queues an operation. Returns why it cannot wait; null if it does. */
    private Throwable queue(Operation<?> operation) {
        if (!waiting.enter(operation.lane, operation.lane.slots == firstTransmits)) {
            return Errors.full(operation, options.backlog());
        }
        if (!operation.lane.add(operation)) {
            waiting.leave();
            Counterpart peer = operation.peer();
            return peer == null ? Errors.closed(operation, "node") : Errors.ofPeer(operation, peer.whyEnded());
        }
        note(operation.deadline);
        // the sweep at close may have passed this lane already
        return closed && unqueue(operation) ? Errors.closed(operation, "node") : null;
    }

    /** Takes an operation out of its lane; false if it does not wait there any more. */
    private boolean unqueue(Operation<?> operation) {
        boolean waited = operation.lane.remove(operation);
        if (waited) {
            waiting.leave();
        }
        return waited;
    }

    /** Gives it to the provider; false if it must wait. One that is refused for good the caller must finish. */
    private boolean start(Operation<?> operation, int from) {
        Lane lane = operation.lane;
        if (!lane.enter()) {
            return false;
        }
        if (!lane.slots.take(operation)) {
            lane.leave();
            return false;
        }
        try {
            return post(operation, from);
        } catch (FabricException refusal) {
            if (Errors.isBusy(refusal)) {
                return false;
            }
            return refused(operation, Errors.refused(operation, refusal));
        } catch (IllegalStateException closedPerhaps) {
            // the connection may have ended, and so been closed, while this thread was about to post
            FabricException ended = closed ? null : Errors.ended(operation);
            if (ended == null) {
                throw closedPerhaps;
            }
            return refused(operation, ended);
        }
    }

    private static boolean refused(Operation<?> operation, FabricException why) {
        operation.failed(why);
        operation.phase(Operation.REFUSED);
        return true;
    }

    /** Gives it to the provider; if that does not take it, its slot and its place in the lane are released. */
    private boolean post(Operation<?> operation, int from) {
        boolean taken = false;
        try {
            taken = operation.post();
            if (taken) {
                // unless it is over already
                operation.change(from, Operation.POSTED);
                if (operation.givenUp != null) {
                    GivingUp.cancelAgain(operation);
                }
            }
            return taken;
        } finally {
            if (!taken) {
                release(operation.context);
            }
        }
    }

    /** Posts an operation again that has kept its slot and place; false if it has none and must be submitted. */
    public boolean again(Operation<?> operation) {
        if (operation.context == 0) {
            return false;
        }
        if (closed || operation.lane.waiting() > 0) {
            release(operation.context);
            return false;
        }
        try {
            return post(operation, Operation.NEW);
        } catch (FabricException refusal) {
            // will be met again, and handled, when it is submitted
            return false;
        }
    }

    /**
     * A receive was used up by something other than a message: posts it again, unless it was given up. In the thread
     * that polls. Returns the operation if that has ended it, else null.
     */
    public Operation<?> usedUp(long context) {
        Operation<?> operation = slots(context).get(context);
        if (operation == null) {
            return null;
        }
        if (operation.givenUp != null) {
            release(context);
            operation.failed(operation.givenUp);
            return operation;
        }
        // the thread that posted it may not have set its phase yet
        for (int n = 1; !operation.change(Operation.POSTED, Operation.NEW); n++) {
            if (operation.phase() == Operation.OVER) {
                return null;
            }
            GivingWay.giveWay(n);
        }
        Throwable refusal;
        try {
            refusal = again(operation) ? null : queue(operation);
        } catch (RuntimeException | Error cannot) {
            // closed meanwhile, or memory of another thread's: it is in no list, so nobody else would end it
            FabricException ended = Errors.ended(operation);
            refusal = ended == null ? cannot : ended;
        }
        if (refusal == null) {
            return null;
        }
        operation.failed(refusal);
        return operation;
    }

    private Slots slots(long context) {
        if (!Slots.isReceive(context)) {
            return Slots.isOwn(context) ? firstTransmits : transmits;
        }
        return Slots.isOwn(context) ? ownReceives : receives;
    }

    /** Like {@link #release}, after a success: an operation that is to be posted again keeps its slot and place. */
    public Operation<?> succeeded(long context) {
        Operation<?> operation = slots(context).get(context);
        if (operation == null || !operation.isPostedAgain()) {
            return release(context);
        }
        // the thread that posted it may not have set its phase yet, and must not do so after the next post
        for (int n = 1; operation.phase() == Operation.NEW; n++) {
            GivingWay.giveWay(n);
        }
        return operation.phase() == Operation.OVER ? null : operation;
    }

    /** Takes an operation out of its slot and its lane's count; null if somebody else already has. */
    public Operation<?> release(long context) {
        Operation<?> operation = slots(context).remove(context);
        if (operation != null) {
            operation.lane.leave();
        }
        return operation;
    }

    /** Starts what waits, as far as the provider takes it. One thread at a time. */
    public int drain(Done done) {
        return drain(firstLanes, done) + drain(lanes, done);
    }

    private int drain(LaneList list, Done done) {
        int started = 0;
        for (int n = list.size(); n > 0; n--) {
            Lane lane = list.take();
            if (lane == null) {
                return started;
            }
            Operation<?> first = lane.first();
            boolean more = true;
            while (first != null && (more = startFirst(lane, first, done))) {
                started++;
                first = lane.first();
            }
            list.dealtWith(!more);
        }
        return started;
    }

    private boolean startFirst(Lane lane, Operation<?> first, Done done) {
        try {
            if (!start(first, Operation.STARTING)) {
                lane.keep(first);
                return false;
            }
        } catch (RuntimeException | Error refused) {
            first.failed(refused);
            first.phase(Operation.REFUSED);
        }
        lane.started(first);
        waiting.leave();
        endIfAbandoned(first);
        if (first.phase() == Operation.REFUSED) {
            done.add(first);
        }
        return true;
    }

    /** Ends an operation if it waits; false if it does not. */
    boolean drop(Operation<?> operation, Throwable why) {
        boolean waited = unqueue(operation);
        if (waited) {
            operation.end(why);
        }
        return waited;
    }

    /** Something must be looked at by then. */
    public void note(long deadline) {
        deadlines.note(deadline);
    }

    /**
     * Ends late operations that wait, and gives up late ones that the provider has; those that it keeps are for
     * {@code abandoned} to end. One thread at a time.
     */
    public void late(long now, Done done, Consumer<Operation<?>> abandoned) {
        deadlines.begin();
        failLate(firstLanes, now, done);
        failLate(lanes, now, done);
        eachPosted(operation -> deadlines.look(operation, now, abandoned));
        deadlines.end(Clock.now() - now);
    }

    private void failLate(LaneList list, long now, Done done) {
        list.forEach(lane -> {
            fail(lane.takeLate(now), done, operation -> Errors.late(operation, Operation.QUEUED));
            note(lane.earliest());
        });
    }

    void fail(Operation<?> chain, Done done, Function<Operation<?>, Throwable> why) {
        Operation<?> operation = chain;
        while (operation != null) {
            Operation<?> after = operation.next;
            operation.next = null;
            waiting.leave();
            operation.failed(why.apply(operation));
            done.add(operation);
            operation = after;
        }
    }

    /** Closes a lane, and ends all that waits on it. */
    public void fail(Lane lane, Done done, Function<Operation<?>, Throwable> why) {
        lane.close();
        fail(lane.takeLate(Clock.NEVER), done, why);
    }

    /**
     * Ends some of the operations on a lane that others go on using. One that is just being started is with the
     * provider when this returns, or has ended; the caller must see to it that later ones refuse to start.
     */
    public void fail(Lane lane, Predicate<Operation<?>> which, Done done, Function<Operation<?>, Throwable> why) {
        for (int n = 1;; n++) {
            Lane.Taken taken = lane.takeAndLook(which);
            fail(taken.first(), done, why);
            if (!taken.more()) {
                return;
            }
            GivingWay.giveWay(n);
        }
    }

    /** Gives up many operations that the provider has, together: each is over then, or never heard of again. */
    public void giveUp(List<Operation<?>> operations, Function<Operation<?>, Throwable> why, Progress progress) {
        GivingUp.giveUp(operations, why, progress);
    }

    /** Visits all that is with the provider; some may end meanwhile. */
    public void eachPosted(Consumer<Operation<?>> action) {
        transmits.each(action);
        receives.each(action);
        ownReceives.each(action);
        firstTransmits.each(action);
    }

    /** Ends operations that the provider has already let go of. */
    public void failPosted(Predicate<Operation<?>> which, Done done, Function<Operation<?>, Throwable> why) {
        eachPosted(operation -> {
            // one that is posted again may be between two messages: then whoever posts it next meets the end
            if (which.test(operation) && release(operation.context) != null
                    && (!operation.isPostedAgain() || operation.claimEnd())) {
                operation.failed(why.apply(operation));
                done.add(operation);
            }
        });
    }

    /** Lets no more operations in. */
    public void close() {
        closed = true;
    }

    /** Ends everything, once the provider has let go of it. */
    public void failAll(Done done) {
        failWaiting(done);
        failPosted(operation -> true, done, operation -> Errors.closed(operation, "node"));
    }

    /** Ends everything that has not reached the provider. */
    public void failWaiting(Done done) {
        failWaiting(firstLanes, done);
        failWaiting(lanes, done);
    }

    private void failWaiting(LaneList list, Done done) {
        for (Lane lane = list.take(); lane != null; lane = list.take()) {
            fail(lane, done, operation -> Errors.closed(operation, "node"));
            list.dealtWith(false);
        }
    }

    /**
     * Gives up what the provider still has after a close was refused. It keeps its slot and its memory until the
     * provider lets go; only its future is to be ended. Spares operations that are posted again: they end only once.
     */
    public void abandonPosted(Consumer<Operation<?>> ends) {
        abandoned = true;
        eachPosted(operation -> {
            if (isToBeAbandoned(operation)) {
                ends.accept(operation);
            }
        });
    }

    /** For an operation that was just being given to the provider. */
    private void endIfAbandoned(Operation<?> operation) {
        if (abandoned && isToBeAbandoned(operation)) {
            operation.endAsGivenUp();
        }
    }

    private static boolean isToBeAbandoned(Operation<?> operation) {
        boolean is = operation.isPosted() && !operation.isPostedAgain();
        if (is && operation.givenUp == null) {
            operation.givenUp = Errors.closed(operation, "node");
        }
        return is;
    }
}
