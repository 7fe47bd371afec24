// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.internal.clock.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a closer does: keeps all other threads out of a group of objects while it closes one of them. The group is what
 * the provider touches together: the endpoints, queues, counters and vectors of a fabric.
 *
 * <p>Threads that come meanwhile wait, and then go on or find their object closed. Threads inside are waited for, and
 * woken where they block. If one does not come out in time ({@code -Djfabric.closeTimeoutMillis}, 10,000 if not given)
 * nothing is closed.
 *
 * <p><b>Threads.</b> One closer at a time of the same group: the caller holds the fabric's lock, which no thread may
 * wait for inside a native call. The action may use the objects (the closing thread is let in), and may close others
 * of the group: nested runs do their action at once for what is kept already. A handler may close: it is not inside
 * while it runs. An interrupt does not end the wait; it is kept.
 */
public final class Closing {
    private static final long WAKE_NANOS = 2_000_000;
    private static final int SPINS = 200;

    private final Thread me = Thread.currentThread();
    private final ArrayList<Guarded> parked = new ArrayList<>();
    private final long millis = timeout().toMillis();

    private Closing() {
    }

    /** How long threads that are inside are waited for. */
    static Duration timeout() {
        return Duration.ofMillis(Setting.number("jfabric.closeTimeoutMillis", 10_000));
    }

    /**
     * Runs the action while only this thread can be in native calls of the group.
     *
     * @param group to keep others out of
     * @param action closes, and calls {@link Entry#closed} for what is gone
     * @throws IllegalStateException if threads stayed inside; the action was not run
     */
    public static void run(Collection<? extends Guarded> group, Runnable action) {
        run(() -> group, action);
    }

    /** As above, for a group that threads inside may add to before they leave. */
    static void run(Supplier<? extends Collection<? extends Guarded>> group, Runnable action) {
        StackRoom.ensureForSeveral();
        Closing closing = new Closing();
        try {
            boolean isMore = true;
            while (isMore) {
                // a thread may have opened something in what was added meanwhile, too
                isMore = closing.keepOut(group.get());
            }
            action.run();
        } finally {
            closing.letIn();
        }
    }

    /** Lets others into all that is parked. A lambda would be made here first, perhaps after the memory has ended. */
    private void letIn() {
        Error failure = null;
        for (int i = 0; i < parked.size(); i++) {
            try {
                Entry entry = parked.get(i).entry();
                if (entry.isParkedBy(me)) {
                    entry.unpark();
                }
            } catch (Error e) {
                // those after it are to be let in nevertheless
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns whether there was anybody to keep out of what this thread has not parked before. */
    private boolean keepOut(Collection<? extends Guarded> group) {
        boolean barrier = false;
        int before = parked.size();
        // room first, and noted before it is parked: nobody else would unpark it if memory ran out
        parked.ensureCapacity(before + group.size());
        for (Guarded guarded : group) {
            Entry entry = guarded.entry();
            if (entry.isInside(me)) {
                throw new IllegalStateException("close was called from inside a native call of " + guarded
                        + " (a callback): its memory cannot be freed under it");
            }
            if (!entry.isParkedBy(me)) {
                parked.add(guarded);
                barrier |= entry.park(me);
            }
        }
        if (parked.size() == before) {
            return false;
        }
        // not needed if this thread owns them all: others have counted themselves in atomically
        if (barrier) {
            Barrier.allThreads();
        }
        awaitQuiet();
        return true;
    }

    private void awaitQuiet() {
        List<Guarded> busy = new ArrayList<>(parked);
        long start = System.nanoTime();
        long nextWake = 0;
        boolean interrupted = false;
        RuntimeException notWoken = null;
        try {
            for (int round = 0; !isQuiet(busy); round++) {
                long passed = System.nanoTime() - start;
                if (passed > TimeUnit.MILLISECONDS.toNanos(millis)) {
                    throw stillInside(busy, notWoken);
                }
                if (passed >= nextWake) {
                    // again and again: a thread may have been woken just before it went to sleep
                    nextWake = passed + WAKE_NANOS;
                    notWoken = wake(busy, notWoken);
                }
                interrupted |= pause(round);
            }
        } finally {
            if (interrupted) {
                me.interrupt();
            }
        }
    }

    /** Drops those that nobody is in, as nobody can enter them any more. */
    private boolean isQuiet(List<Guarded> busy) {
        busy.removeIf(guarded -> guarded.entry().isQuiet(me));
        return busy.isEmpty();
    }

    private static RuntimeException wake(List<Guarded> busy, RuntimeException before) {
        RuntimeException failure = before;
        for (Guarded guarded : busy) {
            if (guarded.entry().isWaitedFor()) {
                try {
                    guarded.wake();
                } catch (RuntimeException e) {
                    // as if it had not been woken: the deadline decides
                    failure = e;
                }
            }
        }
        return failure;
    }

    /** Returns whether the thread was interrupted; the flag is cleared then. */
    private static boolean pause(int round) {
        if (round < SPINS) {
            Thread.onSpinWait();
            return false;
        }
        try {
            TimeUnit.MICROSECONDS.sleep(round < 2 * SPINS ? 50 : 1000);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private IllegalStateException stillInside(List<Guarded> busy, RuntimeException notWoken) {
        StringBuilder text = new StringBuilder("cannot close: after " + millis + " ms there are still threads inside "
                + "native calls (-Djfabric.closeTimeoutMillis to wait longer):");
        busy.forEach(guarded -> text.append(' ').append(guarded).append(": ").append(guarded.entry().whoIsInside())
                .append(';'));
        text.setLength(text.length() - 1);
        return new IllegalStateException(text.toString(), notWoken);
    }
}
