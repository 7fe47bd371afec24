// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.ffi.Log;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs everything that the program has appended to its futures: in the node's executor, however that behaves. Tasks are
 * also run by those of its threads that wait for futures of the node: it may have no other threads.
 */
public final class Completing {
    private static final Log LOG = Log.of(Node.class);
    /** The executor for which a thread completes futures. */
    private static final ThreadLocal<Executor> RUNNING = new ThreadLocal<>();

    private final Executor executor;
    /** For each of these the executor is given {@link #next}, which runs one of them. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger notStarted = new AtomicInteger();
    private final Runnable next = this::helpAsAsked;
    /** Runs tasks for waiting threads that are nested too deep; null if nobody does. */
    private final AtomicReference<Turn> aside = new AtomicReference<>();
    /** Set in threads of the executor once they have run something here. */
    private final ThreadLocal<Boolean> executors = new ThreadLocal<>();

    public Completing(Executor executor) {
        this.executor = executor;
    }

    /** Whether futures are completed by the thread that finds them over. */
    public boolean isDirect() {
        return executor == NodeOptions.DIRECT;
    }

    /** Whether this thread completes futures for the executor: what it waits for must not need another thread. */
    public boolean isRunning() {
        return !isDirect() && RUNNING.get() == executor;
    }

    /**
     * Whether this thread may complete what the executor has not come to yet: it is one of the executor's, which may
     * have no other, or the executor runs nothing any more.
     */
    public boolean mayBeHere() {
        return isDirect() || isRunning() || executors.get() != null || isShutDown();
    }

    private void helpAsAsked() {
        executors.set(true);
        help();
    }

    /** Runs what completes futures of the program; in this thread if there is no executor, or it refuses. */
    public void run(Runnable action) {
        if (isDirect()) {
            attempt(action);
        } else {
            lineUp(action);
            startAll();
        }
    }

    /** Adds a task for the executor, which gets them in the order of the calls, at {@link #startAll()}. */
    public void lineUp(Runnable action) {
        tasks.add(action);
        notStarted.incrementAndGet();
    }

    public boolean isLinedUp() {
        return notStarted.get() > 0;
    }

    /** Gives all tasks that were added to the executor. */
    public void startAll() {
        for (int n = notStarted.get(); n > 0; n = notStarted.get()) {
            if (notStarted.compareAndSet(n, n - 1) && !isTaken()) {
                helpOut();
            }
        }
    }

    /**
     * As {@link #run}, for timers. Neither runs it in this thread nor gives it to the executor here, which may run it
     * at once, or block: the timers' thread serves everybody, and what the program has appended may wait for a timer.
     */
    public void runAside(Runnable action) {
        Aside.start(() -> run(action));
    }

    /** Gives a task to the executor; false if that throws anything: without threads, somebody else must run it. */
    private boolean isTaken() {
        try {
            executor.execute(next);
            return true;
        } catch (Throwable refused) {
            LOG.warn("the executor of a node refuses to complete futures; another thread does it", refused);
            return false;
        }
    }

    /** In place of the executor: runs the oldest task, or all, if it is shut down and may have dropped what it had. */
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

    /** Runs a task that the executor has not come to yet; returns how many it has run. */
    public int help() {
        Runnable task = tasks.poll();
        if (task == null) {
            return 0;
        }
        runHere(task);
        return 1;
    }

    /**
     * As {@link #help}, but in another thread: one at a time, so that the order stays. If that one waits itself, and
     * must not run any more, it gets a successor.
     */
    public int helpAside() {
        Turn holder = aside.get();
        if (tasks.isEmpty() || holder != null && holder.thread != Thread.currentThread()) {
            return 0;
        }
        try {
            return passOn(holder) ? 1 : 0;
        } catch (Throwable noThread) {
            return help();
        }
    }

    private boolean passOn(Turn holder) {
        Turn successor = new Turn();
        if (!aside.compareAndSet(holder, successor)) {
            return false;
        }
        boolean started = false;
        try {
            Aside.start(successor);
            started = true;
        } finally {
            if (!started) {
                aside.set(holder);
            }
        }
        return true;
    }

    /** Runs tasks as long as there are any, and it has no successor. */
    private final class Turn implements Runnable {
        /** Null until it begins. */
        private volatile Thread thread;

        @Override
        public void run() {
            thread = Thread.currentThread();
            boolean more = true;
            while (more) {
                try {
                    while (aside.get() == this && help() > 0) {
                        Thread.onSpinWait();
                    }
                } finally {
                    more = aside.compareAndSet(this, null);
                }
                // what has come meanwhile
                more = more && !tasks.isEmpty() && aside.compareAndSet(null, this);
            }
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

    /** Wraps an action for another thread, which completes futures in place of this one. */
    public static Runnable likeHere(Runnable action) {
        Executor here = RUNNING.get();
        return here == null ? action : () -> run(here, action);
    }

    /** Wraps a task that is given to an executor, but not by a future: if that is this one, it may wait for futures. */
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

    /** Runs an action and logs what it throws: the thread serves everybody. */
    private static void attempt(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            LOG.error("the handler of Node.onWritten, or what follows on the end of an operation, has failed", e);
        }
    }
}
