// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs what must not hold up a thread that everybody needs. There are a few platform threads for it, as the program's
 * virtual threads may keep all carriers busy; and virtual ones, as any number of callbacks may block.
 */
public final class Aside {
    private static final int THREADS = 4;
    private static final ThreadPoolExecutor FEW = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), Thread.ofPlatform().daemon().name("jfabric-aside")
            .inheritInheritableThreadLocals(false).factory());

    static {
        FEW.allowCoreThreadTimeOut(true);
    }

    /** Is run by whichever thread comes first. */
    private static final class Task extends AtomicReference<Runnable> implements Runnable {
        private static final long serialVersionUID = 1;

        Task(Runnable action) {
            super(action);
        }

        @Override
        public void run() {
            Runnable action = getAndSet(null);
            if (action != null) {
                action.run();
            }
        }
    }

    private Aside() {
    }

    /** Runs it in another thread. If this throws, as without memory for a thread, it does not run. */
    public static void start(Runnable action) {
        Task task = new Task(action);
        boolean isTaken = false;
        try {
            FEW.execute(task);
            isTaken = true;
        } catch (Throwable noThread) {
            // a virtual one needs less
        }
        if (isTaken && FEW.getQueue().isEmpty()) {
            return;
        }
        try {
            Thread.ofVirtual().name("jfabric-aside").start(() -> {
                // or those that are done already would pile up while all the others are blocked
                FEW.remove(task);
                task.run();
            });
        } catch (Throwable noThread) {
            if (!isTaken) {
                throw noThread;
            }
        }
    }

    /** The same after this time, unless cancelled; if there is no memory for a thread, after as long again. */
    public static Future<?> later(long millis, Runnable action) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        later(millis, action, over);
        return over;
    }

    private static void later(long millis, Runnable action, CompletableFuture<Void> over) {
        Future<?> tick = Ticks.once(millis, () -> {
            try {
                start(action);
                over.complete(null);
            } catch (RuntimeException | Error noThread) {
                later(millis, action, over);
            }
        });
        over.whenComplete((none, cancelled) -> tick.cancel(false));
    }
}
