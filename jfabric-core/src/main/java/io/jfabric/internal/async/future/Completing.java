// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.async.NodeOptions;
import io.jfabric.internal.async.flow.Done;
import io.jfabric.internal.async.flow.Operation;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes the program's futures in the node's executor; what is of the node's own messages at once, as others wait
 * for that whatever the executor does.
 */
public final class Completing {
    private static final Logger LOG = LoggerFactory.getLogger("io.jfabric.async");
    /** For whom a thread completes futures. */
    private static final ThreadLocal<Executor> RUNNING = new ThreadLocal<>();

    private final Executor executor;
    /** For each of these the executor has been given {@link #next}, which runs one of them. */
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable next = this::help;

    /** What is over, or what else completes futures. */
    private record Task(Operation<?> over, List<Runnable> actions) {
    }

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

    /** Where not all is completed at once. */
    public void finish(Operation<?> all) {
        Done own = new Done();
        Done programs = new Done();
        for (Operation<?> operation = all; operation != null;) {
            Operation<?> after = operation.next;
            (operation.isOwn() ? own : programs).add(operation);
            operation = after;
        }
        if (!programs.isEmpty()) {
            execute(new Task(programs.take(), List.of()));
        }
        Done.finish(own.take());
    }

    /** Runs what completes futures of the program's. */
    public void run(List<Runnable> actions) {
        if (isDirect()) {
            runAll(actions);
        } else {
            execute(new Task(null, actions));
        }
    }

    /** Whatever the executor throws: if it has no threads any more, somebody must do it. */
    private void execute(Task task) {
        tasks.add(task);
        try {
            executor.execute(next);
        } catch (Throwable refused) {
            try {
                LOG.warn("the executor of a node refuses to complete futures; they are completed in {}",
                        Thread.currentThread().getName(), refused);
            } finally {
                help();
            }
        }
    }

    /** Completes what the executor has not come to yet; how much that was. */
    public int help() {
        Task task = tasks.poll();
        if (task == null) {
            return 0;
        }
        Executor before = RUNNING.get();
        RUNNING.set(executor);
        try {
            Done.finish(task.over);
            runAll(task.actions);
        } finally {
            RUNNING.set(before);
        }
        return 1;
    }

    /** Runs, and says what is wrong: the thread is everybody's. */
    public static void runAll(List<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (Throwable e) {
                LOG.error("what follows on the end of an operation has failed", e);
            }
        }
    }
}
