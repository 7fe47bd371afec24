// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.clock.Ticks;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way to what the program has appended to its futures: in the node's executor, whatever that does. What waits
 * for it is also done by those of its threads that wait for futures of the node: there may be no other.
 */
public final class Completing {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    /** For whom a thread completes futures. */
    private static final ThreadLocal<Executor> RUNNING = new ThreadLocal<>();

    private final Executor executor;
    /** For each of these the executor has been given {@link #next}, which runs one of them. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger notStarted = new AtomicInteger();
    private final Runnable next = this::helpAsAsked;
    /** Who runs tasks for those that wait and are too deep for it; null if nobody does. */
    private final AtomicReference<Thread> aside = new AtomicReference<>();
    /** Whether a thread is one of the executor's: it has run something there. */
    private final ThreadLocal<Boolean> executors = new ThreadLocal<>();

    public Completing(Executor executor) {
        this.executor = executor;
    }

    /** Whether all is completed by the thread that finds it over. */
    public boolean isDirect() {
        return executor == NodeOptions.DIRECT;
    }

    /** Whether this thread completes futures for the executor: those it waits for must not need another thread. */
    public boolean isRunning() {
        return !isDirect() && RUNNING.get() == executor;
    }

    /**
     * Whether this thread may complete what the executor has not come to yet: it is one of the executor's, which may
     * have no other, or that comes to nothing any more.
     */
    public boolean mayBeHere() {
        return isDirect() || isRunning() || executors.get() != null || isShutDown();
    }

    private void helpAsAsked() {
        executors.set(true);
        help();
    }

    /** Runs what completes futures of the program's; in this thread if there is no executor, or it refuses. */
    public void run(Runnable action) {
        if (isDirect()) {
            attempt(action);
        } else {
            lineUp(action);
            startAll();
        }
    }

    /** Has something run for which there is an executor: in the order of the calls, after {@link #startAll()}. */
    public void lineUp(Runnable action) {
        tasks.add(action);
        notStarted.incrementAndGet();
    }

    public boolean isLinedUp() {
        return notStarted.get() > 0;
    }

    /** Gives all that was lined up to the executor. */
    public void startAll() {
        for (int n = notStarted.get(); n > 0; n = notStarted.get()) {
            if (notStarted.compareAndSet(n, n - 1) && !isTaken()) {
                helpOut();
            }
        }
    }

    /**
     * The same by the clock: not in this thread, nor does this one give anything to the executor, which may run it
     * here, or block. It is everybody's, and what the program has appended may wait for what ends by the clock.
     */
    public void runAside(Runnable action) {
        startAside(() -> run(action));
    }

    /** What is not for the executor, and not for the thread that everybody needs either. */
    public static void startAside(Runnable action) {
        Thread.ofVirtual().name("jfabric-aside").start(action);
    }

    /** The same after so long, unless that is cancelled; where there is no memory for a thread, as long again. */
    public static Future<?> startAsideLater(long millis, Runnable action) {
        return Ticks.once(millis, () -> {
            try {
                startAside(action);
            } catch (RuntimeException | Error noThread) {
                startAsideLater(millis, action);
            }
        });
    }

    /** Whatever the executor throws: if it has no threads any more, somebody else must do it. */
    private boolean isTaken() {
        try {
            executor.execute(next);
            return true;
        } catch (Throwable refused) {
            warn(refused);
            return false;
        }
    }

    private static void warn(Throwable refused) {
        try {
            LOG.warn("the executor of a node refuses to complete futures; another thread does it", refused);
        } catch (Throwable again) {
            // no memory for the message either
        }
    }

    /** In place of the executor: the oldest, in order; or all, if it is shut down and may have dropped what it had. */
    private void helpOut() {
        boolean all = isShutDown();
        while (help() > 0 && all) {
            Thread.onSpinWait();
        }
    }

    private boolean isShutDown() {
        try {
            return executor instanceof ExecutorService service && service.isShutdown();
        } catch (RuntimeException | Error unknown) {
            return false;
        }
    }

    /** Completes what the executor has not come to yet; how much that was. */
    public int help() {
        Runnable task = tasks.poll();
        if (task == null) {
            return 0;
        }
        runHere(task);
        return 1;
    }

    /**
     * The same in another thread, and in place of the executor: one at a time, so that the order stays. Only that one
     * has a successor, when it waits itself and must not run any more.
     */
    public int helpAside() {
        Thread holder = aside.get();
        if (tasks.isEmpty() || holder != null && holder != Thread.currentThread()) {
            return 0;
        }
        try {
            return passOn(holder) ? 1 : 0;
        } catch (Throwable noThread) {
            return help();
        }
    }

    private boolean passOn(Thread holder) {
        Thread successor = Thread.ofVirtual().name("jfabric-aside").unstarted(this::helpInTurn);
        if (!aside.compareAndSet(holder, successor)) {
            return false;
        }
        boolean started = false;
        try {
            successor.start();
            started = true;
        } finally {
            if (!started) {
                aside.set(holder);
            }
        }
        return true;
    }

    /** As long as there is something, and it has no successor. */
    private void helpInTurn() {
        Thread me = Thread.currentThread();
        boolean more = true;
        while (more) {
            try {
                while (aside.get() == me && help() > 0) {
                    Thread.onSpinWait();
                }
            } finally {
                more = aside.compareAndSet(me, null);
            }
            // what came meanwhile
            more = more && !tasks.isEmpty() && aside.compareAndSet(null, me);
        }
    }

    private void runHere(Runnable task) {
        run(executor, () -> attempt(task));
    }

    private static void run(Executor completing, Runnable action) {
        Executor before = RUNNING.get();
        RUNNING.set(completing);
        try {
            action.run();
        } finally {
            RUNNING.set(before);
        }
    }

    /** For another thread, that completes futures in place of this one. */
    public static Runnable likeHere(Runnable action) {
        Executor here = RUNNING.get();
        return here == null ? action : () -> run(here, action);
    }

    /** What something else than a future gives to an executor: if that is this one, the task may wait for futures. */
    public Runnable task(Executor where, Runnable task) {
        return isDirect() || where != executor ? task : () -> runHere(task);
    }

    /** Runs all, whatever becomes of each. */
    public static void runAll(List<Runnable> actions) {
        Iterator<Runnable> rest = actions.iterator();
        Remaining.completeAll(() -> {
            boolean more = rest.hasNext();
            if (more) {
                attempt(rest.next());
            }
            return more;
        });
    }

    /** Runs, and says what is wrong: the thread is everybody's. */
    private static void attempt(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            LOG.error("the handler of Node.onWritten, or what follows on the end of an operation, has failed", e);
        }
    }
}
