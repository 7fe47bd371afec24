// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Sweep;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The calls of a caller that wait for a slot, in order of arrival. Those that are late are counted until they end. Any
 * thread; the clock looks for late ones.
 */
final class WaitingCalls {
    private final int most;
    private final Sweep sweep;
    private final Consumer<Outgoing<?>> end;
    private final Queue<Outgoing<?>> queue = new ConcurrentLinkedQueue<>();
    /**
     * Calls whose deadline had passed at their turn. The clock ends them: if they ended here, in the middle of a call,
     * the program's continuations could call again, which would find the next late one, and so on until the stack
     * overflows.
     */
    private final Queue<Outgoing<?>> late = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private int ticks;

    /** At most so many wait. The sweep calls {@link #tick}; {@code end} ends a late call that was claimed. */
    WaitingCalls(int most, Sweep sweep, Consumer<Outgoing<?>> end) {
        this.most = most;
        this.sweep = sweep;
        this.end = end;
    }

    int count() {
        return count.get();
    }

    /** Whether no call can be taken; the count already includes one that is just coming. */
    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Whether any calls wait, even if only for their end. */
    boolean areLeft() {
        return count.get() > 0 || !late.isEmpty();
    }

    /** False if too many wait. */
    boolean add(Outgoing<?> call) {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            return false;
        }
        call.waits();
        queue.add(call);
        return true;
    }

    /** It was the {@link #next}, and could not be started. */
    void addAgain(Outgoing<?> call) {
        count.incrementAndGet();
        call.returns();
        queue.add(call);
    }

    /** Takes the first that is neither late nor over; null if there is none. */
    Outgoing<?> next() {
        Outgoing<?> next = queue.poll();
        while (next != null) {
            if (!next.isDone() && next.isLate(Clock.now())) {
                late.add(next);
                sweep.begin();
            } else if (leaves(next) && !next.isDone()) {
                return next;
            }
            next = queue.poll();
        }
        return null;
    }

    /** Takes all of them, late or not. */
    List<Outgoing<?>> takeAll() {
        List<Outgoing<?>> all = new ArrayList<>();
        for (Outgoing<?> call = next(); call != null; call = next()) {
            all.add(call);
        }
        for (Outgoing<?> call = late.poll(); call != null; call = late.poll()) {
            leaves(call);
            all.add(call);
        }
        return all;
    }

    /** It is not counted any more. False if it was not: somebody else has taken it, as the clock may at that moment. */
    boolean leaves(Outgoing<?> call) {
        boolean leaves = call.waitsNoMore();
        if (leaves) {
            count.decrementAndGet();
        }
        return leaves;
    }

    /** By the clock. */
    void tick(long now) {
        endLate();
        // in order of arrival, which mostly is that of the deadlines, too
        for (Outgoing<?> call : queue) {
            if (call.claimIfLate(now)) {
                end.accept(call);
            } else if (!call.isDone() && !call.isClaimed()) {
                break;
            }
        }
        if (++ticks % 10 == 0) {
            lookThrough(now);
        }
    }

    /** Finds calls with a shorter deadline than those before them. */
    private void lookThrough(long now) {
        queue.removeIf(call -> {
            boolean isDone = call.isDone();
            boolean isLate = !isDone && call.isLate(now);
            if (isDone) {
                leaves(call);
            } else if (isLate) {
                // not here: the program's continuations may call again
                late.add(call);
            }
            return isDone || isLate;
        });
        endLate();
    }

    /** Ends only those there are now: the program's continuations may call again, and again too late. */
    private void endLate() {
        for (int n = late.size(); n > 0; n--) {
            Outgoing<?> call = late.peek();
            if (call == null) {
                return;
            }
            // even if it is late only by the clock of the thread that found it
            if (call.claim()) {
                end.accept(call);
            } else if (call.isDone()) {
                leaves(call);
            }
            // last: a call that could not be ended is claimed again at the next look
            late.remove(call);
        }
    }
}
