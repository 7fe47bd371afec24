// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.CompletionQueue;
import io.jfabric.FabricException;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.async.flow.Done;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.idle.IdleTimes;
import io.jfabric.internal.life.GivingWay;
import io.jfabric.internal.life.StackRoom;
import io.jfabric.internal.queue.CompletionQueueImpl;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Makes progress for a node: polls its queue, starts what waits, ends what is late. Any thread may, one at a time;
 * futures are completed afterwards, when others may already make progress again.
 */
public final class Drive implements Progress {
    private static final int BATCH = 64;
    private static final int NOT_ALONE = -1;
    private static final VarHandle BUSY;
    private static final VarHandle POLLS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BUSY = lookup.findVarHandle(Drive.class, "busy", int.class).withInvokeExactBehavior();
            POLLS = lookup.findVarHandle(Drive.class, "polls", int.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CompletionQueue queue;
    private final Flow flow;
    private final Complaint complaint;
    private final Complaint unread;
    private final Sending sending;
    private final Completing completing;
    private final Descriptors descriptors;
    private final Waiting waiting;
    public final NodeEnd end = new NodeEnd(this);
    /** Null if callers make all progress. */
    private volatile EngineImpl engine;
    /** Work besides the queue, such as connections: the thread that polls runs each until it returns true. */
    private final Queue<BooleanSupplier> chores = new ConcurrentLinkedQueue<>();
    private final Predicate<BooleanSupplier> choreIsOver = this::isOver;
    /** Whether some were added since they were last run. */
    private volatile boolean newChores;
    private volatile int busy;
    /** Operations that are over and not completed yet; of the thread that polls. */
    private final Done done = new Done();
    private final Found found;
    /** Polls by waiting threads; changed by the thread that polls, read by others now and then. */
    private volatile int pollsOfWaiters;
    /** What to do when others may make progress again; of the thread that polls. */
    private List<Runnable> afterwards = new ArrayList<>(0);
    /** As above, for the node's own messages, and not for the executor. */
    private List<Runnable> atOnce = new ArrayList<>(0);
    /** Changed by the thread that polls; others read it. */
    private int polls;
    /** Not exact. */
    private int starts;
    /** Whether the last poll left nothing in the queue; of the thread that polls. */
    private boolean queueRead;
    /** A thread that completes what a poll has found; null if none. If several do, maybe only one of them. */
    private volatile Thread delivering;

    public Drive(NodeParts parts, Flow flow, NodeOptions options) {
        this.queue = parts.queue();
        this.found = new Found(this, flow, done);
        ((CompletionQueueImpl) queue).onlyFor(found);
        this.flow = flow;
        this.complaint = new Complaint(flow, "a node has failed to make progress, and tries again");
        this.unread = new Complaint(flow, "a node makes no progress, its completion queue cannot be polled");
        this.sending = new Sending(complaint);
        this.completing = new Completing(options.executor());
        this.descriptors = new Descriptors(parts);
        this.waiting = new Waiting(this, IdleTimes.of(options.idle()));
    }

    public Moved moved() {
        return found.moved;
    }

    /** Has a chore run again and again, by the thread that polls, until it returns true. */
    public void later(BooleanSupplier chore) {
        chores.add(chore);
        again();
    }

    /** For chores that are not over: another poll is to follow at once. */
    public void again() {
        newChores = true;
        wake();
    }

    boolean hasNewChores() {
        return newChores;
    }

    /** Whether an engine makes progress, and not only callers. */
    public boolean hasEngine() {
        return engine != null;
    }

    public void engine(EngineImpl driver) {
        engine = driver;
    }

    /** Does something soon, outside of the lock, in the node's executor; for chores. */
    public void afterwards(Runnable action) {
        afterwards.add(action);
    }

    /** As above, for what runs nothing of the program's: not in the executor. */
    public void atOnce(Runnable action) {
        atOnce.add(action);
    }

    @Override
    public Completing completing() {
        return completing;
    }

    Descriptors descriptors() {
        return descriptors;
    }

    /** Whether the descriptors will tell of everything that happens from now on. */
    boolean mayBlock() {
        return !hasWaiting() && descriptors.mayBlock();
    }

    /** Whether anything waits to be sent. */
    boolean hasWaiting() {
        return flow.isWaiting() || hasGathered();
    }

    boolean hasGathered() {
        return sending.isDue();
    }

    /** Sets the messages that each poll sends from now on. */
    public void gathers(Gathered all) {
        sending.of(all);
    }

    /** Sends them now, as nobody may poll any more. */
    public void sendAllGathered() {
        sending.sendAll();
    }

    /** For chores: whether the last poll left nothing in the queue. */
    public boolean isQueueRead() {
        return queueRead;
    }

    /** How often the queue was polled, by any thread; wraps around. */
    public int polls() {
        return (int) POLLS.getAcquire(this);
    }

    /**
     * Whether it will be polled again soon, whatever the program does.
     *
     * @param waits whether a program that makes progress itself has to do so, for what it wants
     */
    public boolean pollsSoon(boolean waits) {
        EngineImpl driver = engine;
        return driver != null ? driver.isAwake() : waits || delivering == Thread.currentThread();
    }

    public Flow flow() {
        return flow;
    }

    /** How often threads have polled that wait for a future of this node. */
    public int pollsOfWaiters() {
        return pollsOfWaiters;
    }

    /** Starts an operation, from any thread. */
    public <T> Operation<T> start(Operation<T> operation) {
        StackRoom.ensure(starts++);
        if (flow.submit(operation)) {
            wake();
        } else {
            tellPosted(operation.deadline());
        }
        return operation;
    }

    /** Starts an operation again that has succeeded. */
    public <T> void startAgain(Operation<T> operation) {
        if (!flow.again(operation)) {
            start(operation);
        } else {
            nudge();
        }
    }

    /** Something was given to the provider that has no deadline, or reports no completion. */
    public void nudge() {
        tellPosted(Clock.NEVER);
    }

    private void tellPosted(long deadline) {
        EngineImpl driver = engine;
        if (driver != null) {
            driver.posted(deadline);
        }
    }

    public void wake() {
        EngineImpl driver = engine;
        if (driver != null) {
            driver.wake();
        }
    }

    /** Makes progress once; returns how many completions there were, and operations that could be started. */
    @Override
    public int poll() {
        StackRoom.ensure(polls);
        if (delivering == null) {
            return poll(false, false);
        }
        // perhaps inside of a callback
        int depth = Nesting.enter();
        try {
            return poll(false, Nesting.isTooDeep(depth));
        } finally {
            Nesting.leave(depth);
        }
    }

    /** As {@link #poll}, in the engine's thread, which has room. If aside, another thread completes what is found. */
    int pollForEngine(boolean aside) {
        return poll(false, aside);
    }

    /** As above, in a thread that waits, and has room: the engine need not poll then. */
    int pollForWaiter(boolean aside) {
        return poll(true, aside);
    }

    private int poll(boolean waiter, boolean aside) {
        sending.send();
        return busy == 0 ? Math.max(0, pollAlone(waiter, aside)) : 0;
    }

    @Override
    public void pollOnce(long end) {
        catchUp(1, end);
    }

    @Override
    public void note(long deadline) {
        flow.note(deadline);
        tellPosted(deadline);
    }

    @Override
    public void catchUp(long end) {
        catchUp(Integer.MAX_VALUE, end);
    }

    /** Takes all that is in the queue by now, even if another thread is about to. The caller must hold no lock. */
    public void catchUp() {
        // the queue has no more than is under way, one for each poll at worst; but more may come forever
        catchUp(flow.underWay() + 1, Clock.NEVER);
    }

    private void catchUp(int most, long end) {
        StackRoom.ensure(polls);
        int depth = Nesting.enter();
        try {
            sending.send();
            int done = 0;
            while (done < most && pollInTurn(Nesting.isTooDeep(depth), end) > 0 && !Clock.isPast(end)) {
                done++;
            }
        } finally {
            Nesting.leave(depth);
        }
    }

    /** Polls even if another thread is about to, by waiting for that; 0 if it takes too long. */
    private int pollInTurn(boolean aside, long end) {
        int work = pollAlone(false, aside);
        for (int n = 1; work == NOT_ALONE; n++) {
            if (flow.isClosed() || Clock.isPast(end)) {
                return 0;
            }
            GivingWay.giveWay(n);
            work = pollAlone(false, aside);
        }
        return work;
    }

    /** Polls while keeping all others out; {@link #NOT_ALONE} if another thread does. */
    private int pollAlone(boolean waiter, boolean aside) {
        int work = 0;
        Operation<?> over;
        List<Runnable> then;
        List<Runnable> own;
        boolean mine = false;
        try {
            mine = BUSY.compareAndSet(this, 0, 1);
            if (!mine) {
                return NOT_ALONE;
            }
            try {
                work = work(waiter);
            } catch (Throwable failed) {
                // what is over must end nevertheless, and the thread works for others, too
                complaint.make(failed);
            }
            // never an empty list itself, which stays in use: the next to poll may add to it
            then = afterwards.isEmpty() ? List.of() : afterwards;
            List<Runnable> nextThen = then.isEmpty() ? afterwards : new ArrayList<>(0);
            own = atOnce.isEmpty() ? List.of() : atOnce;
            List<Runnable> nextOwn = own.isEmpty() ? atOnce : new ArrayList<>(0);
            // last: if there is no memory for the lists, the next poll still has it all
            over = done.take();
            afterwards = nextThen;
            atOnce = nextOwn;
            if (!completing.isDirect()) {
                // here: once others poll, the order of the queue is lost
                over = Done.lineUp(over, then, completing);
                then = List.of();
            }
        } finally {
            if (mine) {
                // in finally, and by a store, which always has enough stack: else nobody could poll any more
                busy = 0;
            }
        }
        if (over != null || !own.isEmpty() || !then.isEmpty() || completing.isLinedUp()) {
            if (aside) {
                deliverAside(over, own, then);
            } else {
                deliver(over, own, then);
            }
        }
        return work;
    }

    private int work(boolean waiter) {
        POLLS.setRelease(this, polls + 1);
        int work = pollQueue();
        if (flow.isWaiting()) {
            work += flow.drain(done);
            waitsAgain();
        }
        // after each eighth poll at the latest: reading the clock would keep back what was found
        if (flow.earliest() != Clock.NEVER && (work == 0 || polls % 8 == 0) && flow.earliest() <= Clock.now()) {
            flow.late(Clock.now(), done, this::endLate);
        }
        // either: a chore may be over before newChores is set
        if (newChores || !chores.isEmpty()) {
            newChores = false;
            chores.removeIf(choreIsOver);
        }
        if (waiter) {
            pollsOfWaiters = pollsOfWaiters + 1;
        }
        return work;
    }

    /** Completes in another thread, which is not inside of this one's waits. */
    private void deliverAside(Operation<?> over, List<Runnable> own, List<Runnable> then) {
        try {
            Aside.start(Completing.likeHere(() -> deliver(over, own, then)));
        } catch (Throwable noThread) {
            deliver(over, own, then);
        }
    }

    private void deliver(Operation<?> over, List<Runnable> own, List<Runnable> then) {
        Thread me = Thread.currentThread();
        Thread outer = delivering;
        EngineImpl driver = engine;
        Standstill noted = driver != null && driver.isEngineThread() ? driver.standstill() : null;
        int before = noted == null ? 0 : noted.enter();
        delivering = me;
        try {
            if (own.isEmpty() && then.isEmpty() && !completing.isLinedUp()) {
                complete(over);
            } else {
                Completing.runAll(List.of(completing::startAll, () -> complete(over), () -> Completing.runAll(own),
                        () -> Completing.runAll(then)));
            }
        } finally {
            // of several threads the last stands there; another one's value must not come back
            delivering = outer == me ? me : null;
            if (noted != null) {
                noted.leave(before);
            }
            sending.send();
        }
    }

    /** The engine may have gone to sleep while this thread held the waiting lane, and the list looked empty. */
    private void waitsAgain() {
        EngineImpl driver = engine;
        if (driver != null && flow.isWaiting()) {
            driver.wakeFromDescriptors();
        }
    }

    /** A queue that cannot be read must not keep deadlines and chores from their turn. */
    private int pollQueue() {
        try {
            queueRead = false;
            int count = 0;
            int read;
            // errors are read one at a time
            do {
                found.failed = false;
                read = queue.poll(found, BATCH);
                count += read;
            } while (found.failed && count < BATCH);
            queueRead = read == 0;
            return count;
        } catch (FabricException | IllegalStateException failed) {
            unread.make(failed);
            end.unread(queue);
            return 0;
        } catch (RuntimeException | Error failed) {
            complaint.make(failed);
            return 0;
        }
    }

    /** A chore that fails must not keep the others from their turn. */
    private boolean isOver(BooleanSupplier chore) {
        try {
            return chore.getAsBoolean();
        } catch (RuntimeException | Error failed) {
            complaint.make(failed);
            return false;
        }
    }

    public void complete(Operation<?> over) {
        if (over == null) {
            return;
        }
        if (completing.isDirect()) {
            Done.finish(over);
        } else {
            Done.finish(over, completing);
        }
    }

    public Written written() {
        return found.written;
    }

    /** Keeps all others from making progress, forever; waits until they are out, false if that takes too long. */
    public boolean seize(long end) {
        for (int n = 1; !BUSY.compareAndSet(this, 0, 1); n++) {
            if (Clock.isPast(end)) {
                return false;
            }
            GivingWay.giveWay(n);
        }
        return true;
    }

    @Override
    public void await(CompletableFuture<?> future, long end, boolean interruptible) {
        waiting.await(engine, future, end, interruptible);
    }

    /** Ends an operation that was given up as late, but that the provider keeps; in the thread that polls. */
    private void endLate(Operation<?> operation) {
        (operation.isOwn() ? atOnce : afterwards).add(operation::endAsGivenUp);
    }
}
