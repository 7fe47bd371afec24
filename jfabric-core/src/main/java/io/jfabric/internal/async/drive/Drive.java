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
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.idle.IdleTimes;
import io.jfabric.internal.life.GivingWay;
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
 * Makes progress for a node: polls its queue, starts what waits, ends what is late. One thread at a time does, any
 * thread may; futures are completed afterwards, when others may already make progress again.
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
    /** Null if callers make all progress. */
    private volatile EngineImpl engine;
    /** Work besides the queue, such as connections; in the thread that polls, until one says true. */
    private final Queue<BooleanSupplier> chores = new ConcurrentLinkedQueue<>();
    private final Predicate<BooleanSupplier> choreIsOver = this::isOver;
    /** Whether there are some that nobody has looked at. */
    private volatile boolean newChores;
    private volatile int busy;
    /** What is over and not completed yet; of the thread that polls. */
    private final Done done = new Done();
    private final Found found;
    /** Polls by threads that wait; of the thread that polls, others look now and then. */
    private volatile int pollsOfWaiters;
    /** What is to be done when others may make progress again; of the thread that polls. */
    private List<Runnable> afterwards = new ArrayList<>(0);
    /** The same of what is of the node's own messages, and not for the executor. */
    private List<Runnable> atOnce = new ArrayList<>(0);
    /** Of the thread that polls; others look. */
    private int polls;
    /** Of the thread that polls: whether the last look at the queue took all there was. */
    private boolean queueRead;
    /** Who completes what a poll has found; null if nobody, and if several do maybe only one of them. */
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

    /** Does something again and again, in the thread that polls, until it says true. */
    public void later(BooleanSupplier chore) {
        chores.add(chore);
        newChores = true;
        wake();
    }

    boolean hasNewChores() {
        return newChores;
    }

    /** Whether another thread than those that call makes progress. */
    public boolean hasEngine() {
        return engine != null;
    }

    public void engine(EngineImpl driver) {
        engine = driver;
    }

    /** Does something outside of the lock, soon, in the node's executor; for chores. */
    public void afterwards(Runnable action) {
        afterwards.add(action);
    }

    /** The same of what runs nothing of the program's: not in the executor. */
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

    /** Whether there is something to be sent. */
    boolean hasWaiting() {
        return flow.isWaiting() || hasGathered();
    }

    boolean hasGathered() {
        return sending.isDue();
    }

    /** What is to be sent at the end of this poll, or at the next, from now on. */
    public void gathers(Gathered all) {
        sending.of(all);
    }

    /** Now, as nobody may poll any more. */
    public void sendAllGathered() {
        sending.sendAll();
    }

    /** For chores: whether nothing was left in the queue when it was looked at before. */
    public boolean isQueueRead() {
        return queueRead;
    }

    /** How often the queue was looked at, by whomever; goes round. */
    public int polls() {
        return (int) POLLS.getAcquire(this);
    }

    /**
     * Whether that will be again soon, whatever the program does.
     *
     * @param waits whether a program that makes progress itself has to, for what it wants
     */
    public boolean pollsSoon(boolean waits) {
        EngineImpl driver = engine;
        return driver != null ? driver.isAwake() : waits || delivering == Thread.currentThread();
    }

    public Flow flow() {
        return flow;
    }

    /** How often threads have polled that wait for something of this node's. */
    public int pollsOfWaiters() {
        return pollsOfWaiters;
    }

    /** Starts an operation, from any thread. */
    public <T> Operation<T> start(Operation<T> operation) {
        if (flow.submit(operation)) {
            wake();
        } else {
            tellPosted(operation.deadline());
        }
        return operation;
    }

    /** Starts an operation that has succeeded once more. */
    public <T> void startAgain(Operation<T> operation) {
        if (!flow.again(operation)) {
            start(operation);
        } else {
            nudge();
        }
    }

    /** Something was given to the provider that reports no end. */
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

    /** Makes progress once; how many completions there were, or operations that could be started. */
    @Override
    public int poll() {
        StackRoom.ensure();
        if (delivering == null) {
            return poll(false, false);
        }
        // perhaps in what follows on something
        int depth = Nesting.enter();
        try {
            return poll(false, Nesting.isTooDeep(depth));
        } finally {
            Nesting.leave(depth);
        }
    }

    /** The same in the engine's thread, which has room. What is found may be for another thread to complete. */
    int pollForEngine(boolean aside) {
        return poll(false, aside);
    }

    /** The same in a thread that waits for something, and has room: the engine need not then. */
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

    /** Takes all that is in the queue by now, also where another thread is about to: not while holding anything. */
    public void catchUp() {
        // no more is there than is under way, one in each poll at worst; others may complete forever
        catchUp(flow.underWay() + 1, Clock.NEVER);
    }

    private void catchUp(int most, long end) {
        StackRoom.ensure();
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

    /** Also where another thread is about to, which is waited for; 0 if it takes too long. */
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

    /** While this thread keeps all others from it; {@link #NOT_ALONE} if another one does. */
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
                // what is over already ends nevertheless, and the thread works for others, too
                complaint.make(failed);
            }
            // not the lists themselves while they are empty: who polls next may add to them
            then = afterwards.isEmpty() ? List.of() : afterwards;
            List<Runnable> nextThen = then.isEmpty() ? afterwards : new ArrayList<>(0);
            own = atOnce.isEmpty() ? List.of() : atOnce;
            List<Runnable> nextOwn = own.isEmpty() ? atOnce : new ArrayList<>(0);
            // last: where there is no memory for the lists, the next poll has it all
            over = done.take();
            afterwards = nextThen;
            atOnce = nextOwn;
            if (!completing.isDirect()) {
                // nobody knows the order of the queue any more once others poll
                over = Done.lineUp(over, then, completing);
                then = List.of();
            }
        } finally {
            if (mine) {
                // here and by a store, for which there always is enough stack: else nobody would poll any more
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
        if (flow.earliest() != Clock.NEVER && flow.earliest() <= Clock.now()) {
            flow.late(Clock.now(), done, this::endLate);
        }
        // either: one may be added and over before it is said to be new
        if (newChores || !chores.isEmpty()) {
            newChores = false;
            chores.removeIf(choreIsOver);
        }
        if (waiter) {
            pollsOfWaiters = pollsOfWaiters + 1;
        }
        return work;
    }

    /** In another thread, which is not in this one's waits. */
    private void deliverAside(Operation<?> over, List<Runnable> own, List<Runnable> then) {
        try {
            Completing.startAside(Completing.likeHere(() -> deliver(over, own, then)));
        } catch (Throwable noThread) {
            deliver(over, own, then);
        }
    }

    private void deliver(Operation<?> over, List<Runnable> own, List<Runnable> then) {
        Thread me = Thread.currentThread();
        Thread outer = delivering;
        delivering = me;
        try {
            if (own.isEmpty() && then.isEmpty() && !completing.isLinedUp()) {
                complete(over);
            } else {
                Completing.runAll(List.of(completing::startAll, () -> complete(over), () -> Completing.runAll(own),
                        () -> Completing.runAll(then)));
            }
        } finally {
            // with several threads the last stands there; another one's is not to come back
            delivering = outer == me ? me : null;
            sending.send();
        }
    }

    /** The engine may have gone to sleep while what waits was not in the list, as this thread had it. */
    private void waitsAgain() {
        EngineImpl driver = engine;
        if (driver != null && flow.isWaiting()) {
            driver.wakeFromDescriptors();
        }
    }

    /** A queue that cannot be read does not keep deadlines and chores from their turn. */
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
            return 0;
        } catch (RuntimeException | Error failed) {
            complaint.make(failed);
            return 0;
        }
    }

    /** One that fails does not keep the others from their turn. */
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
        if (!completing.isDirect()) {
            Done.finish(over, completing);
            return;
        }
        EngineImpl driver = engine;
        if (driver != null && driver.isEngineThread()) {
            long began = System.nanoTime();
            Done.finish(over);
            driver.complainOfSlow(System.nanoTime() - began);
        } else {
            Done.finish(over);
        }
    }

    public Written written() {
        return found.written;
    }

    /** Keeps all others from making progress, forever, and waits until they are out. */
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

    /** It was given up as it was late, and the provider keeps it; in the thread that polls. */
    private void endLate(Operation<?> operation) {
        (operation.isOwn() ? atOnce : afterwards).add(operation::endAsGivenUp);
    }
}
