// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The heap is full where others wait for what comes next: the JVM of {@link NoMemoryTest}. Everything is done once
 * before, as memory that is needed the first time only is not what this is about; but not what follows on a failure.
 */
final class NoMemory {
    private static Object[] ballast;

    private record Plain(Entry entry) implements Guarded {
        @Override
        public void wake() {
            // nobody waits in it
        }
    }

    private NoMemory() {
    }

    public static void main(String[] args) throws Exception {
        afterAFailedClose();
        afterAFailedHandover();
        afterAFailedTurn();
    }

    private static void fill() {
        while (true) {
            Object[] next = new Object[1];
            next[0] = ballast;
            ballast = next;
        }
    }

    /** Whether the action fails while the heap is full. */
    private static boolean fails(Runnable action) {
        // more than once: what the collector keeps as long as it can goes with the first
        for (int i = 0; i < 5; i++) {
            try {
                fill();
            } catch (OutOfMemoryError full) {
                // there is not even room for an object
            }
        }
        try {
            action.run();
            return false;
        } catch (OutOfMemoryError e) {
            return true;
        } finally {
            ballast = null;
        }
    }

    private static void afterAFailedClose() {
        List<Plain> all = List.of(new Plain(new SharedEntry(1, true)), new Plain(new SharedEntry(2, true)));
        Closing.run(all, () -> { });
        boolean failed = false;
        try {
            Closing.run(all, NoMemory::fill);
        } catch (OutOfMemoryError e) {
            failed = true;
        } finally {
            ballast = null;
        }
        long keptOut = all.stream().filter(one -> one.entry.isParked()).count();
        System.out.println("close " + failed + ", kept out: " + keptOut);
    }

    /** The first, which is inside, keeps the others out whatever became of an attempt to hand over. */
    private static void afterAFailedHandover() throws Exception {
        Exclusive before = new Exclusive();
        before.enter();
        before.leave();
        inAnother((Runnable) before::enter);
        Exclusive calls = new Exclusive();
        calls.enter();
        Runnable enter = calls::enter;
        System.out.println("handover " + inAnother(() -> fails(enter)));
        FutureTask<Object> third = start(Executors.callable(enter));
        Thread.sleep(200);
        System.out.println("third waits: " + !third.isDone());
        calls.leave();
        third.get(10, TimeUnit.SECONDS);
    }

    private static void afterAFailedTurn() throws Exception {
        Turnstile before = new Turnstile(1, true);
        before.enter();
        before.leave();
        inAnother((Runnable) before::enter);
        Turnstile queue = new Turnstile(1, true);
        queue.enter();
        queue.leave();
        Runnable enter = queue::enter;
        System.out.println("turn " + inAnother(() -> fails(enter)) + ", still the owner's: " + (queue.own() != null));
    }

    private static void inAnother(Runnable action) throws Exception {
        inAnother(Executors.callable(action));
    }

    private static <T> T inAnother(Callable<T> action) throws Exception {
        return start(action).get(10, TimeUnit.SECONDS);
    }

    private static <T> FutureTask<T> start(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }
}
