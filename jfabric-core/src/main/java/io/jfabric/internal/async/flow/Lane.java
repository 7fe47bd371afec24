// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.life.GivingWay;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;

/**
 * What is to be started in order: the transmits to one peer, or the receives of an endpoint. Whoever comes while others
 * wait goes behind them. Its lock is held for a few instructions only, never while calling the provider.
 */
public final class Lane {
    private static final VarHandle UNDER_WAY;

    static {
        try {
            UNDER_WAY = MethodHandles.lookup().findVarHandle(Lane.class, "underWay", int.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Flow flow;
    final Slots slots;
    /** The lanes among which it is while it has something. */
    private final LaneList list;
    private final int limit;
    /** Those that it shares with other lanes; null if it shares none. */
    private final Places shared;
    private volatile int underWay;
    private volatile int waiting;
    private boolean listed;
    private volatile boolean closed;
    private Operation<?> head;
    private Operation<?> tail;
    /** The first, while it is given to the provider: also when that has it, until it is out of the list. */
    private Operation<?> starting;

    Lane(Flow flow, Slots slots, LaneList list, int limit) {
        this(flow, slots, list, limit, null);
    }

    Lane(Flow flow, Slots slots, LaneList list, int limit, Places shared) {
        this.shared = shared;
        this.flow = flow;
        this.slots = slots;
        this.list = list;
        this.limit = limit;
    }

    public int underWay() {
        return underWay;
    }

    public int waiting() {
        return waiting;
    }

    /**
     * Room for one more with the provider; false if there is none, or none any more: who closes the lane looks
     * afterwards at what is under way, and then gives up the peer's address.
     */
    boolean enter() {
        if ((int) UNDER_WAY.getAndAdd(this, 1) < limit && !closed && (shared == null || shared.enter())) {
            return true;
        }
        oneLess();
        return false;
    }

    void leave() {
        if (shared != null) {
            shared.leave();
        }
        oneLess();
    }

    private void oneLess() {
        int before = (int) UNDER_WAY.getAndAdd(this, -1);
        assert before > 0;
    }

    /** Puts an operation at the end; false if the lane is closed. */
    synchronized boolean add(Operation<?> operation) {
        if (closed) {
            return false;
        }
        if (!listed) {
            // under the lock: whoever comes next is seen by all who go through the lanes
            list.add(this);
            listed = true;
        }
        operation.previous = tail;
        if (tail == null) {
            head = operation;
        } else {
            tail.next = operation;
        }
        tail = operation;
        operation.phase(Operation.QUEUED);
        waiting = waiting + 1;
        return true;
    }

    /** The first, to be started; null if nobody waits or the lane is closed, and it is then listed no more. */
    synchronized Operation<?> first() {
        if (head == null || closed) {
            listed = false;
            return null;
        }
        head.phase(Operation.STARTING);
        starting = head;
        return head;
    }

    /** The first could not be started. */
    synchronized void keep(Operation<?> operation) {
        starting = null;
        operation.phase(Operation.QUEUED);
    }

    /** Takes an operation out that waits. */
    synchronized boolean remove(Operation<?> operation) {
        if (operation.phase() != Operation.QUEUED) {
            return false;
        }
        unlink(operation);
        operation.phase(Operation.OVER);
        return true;
    }

    /** As {@link #remove}, of one that was started: its state is no longer the lane's. */
    synchronized void started(Operation<?> operation) {
        starting = null;
        unlink(operation);
    }

    private void unlink(Operation<?> operation) {
        Operation<?> before = operation.previous;
        Operation<?> after = operation.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        operation.previous = null;
        operation.next = null;
        waiting = waiting - 1;
    }

    /**
     * Lets nothing wait or be started any more. What is being started by another thread, which is one call of the
     * provider's, has been started or waits again when this returns; what waits must then be taken out.
     */
    void close() {
        synchronized (this) {
            closed = true;
        }
        for (int n = 1; isStarting(any -> true); n++) {
            GivingWay.giveWay(n);
        }
    }

    /** Whether such a one is just being given to the provider, by who drains. */
    synchronized boolean isStarting(Predicate<Operation<?>> which) {
        return starting != null && which.test(starting);
    }

    /** Takes out all that wait and whose deadline is at or before a moment, linked by their {@code next}. */
    Operation<?> takeLate(long moment) {
        return take(operation -> operation.deadline <= moment);
    }

    /** Takes out such as wait, linked by their {@code next}. */
    synchronized Operation<?> take(Predicate<Operation<?>> which) {
        Operation<?> taken = null;
        for (Operation<?> operation = head; operation != null;) {
            Operation<?> after = operation.next;
            if (operation.phase() == Operation.QUEUED && which.test(operation)) {
                unlink(operation);
                operation.phase(Operation.OVER);
                operation.next = taken;
                taken = operation;
            }
            operation = after;
        }
        return taken;
    }

    /** Those that waited, linked by their {@code next}, and whether one more may wait again. */
    record Taken(Operation<?> first, boolean more) {
    }

    /** Takes out such as wait. At once: what another thread begins to start between the two would be missed. */
    synchronized Taken takeAndLook(Predicate<Operation<?>> which) {
        return new Taken(take(which), isStarting(which));
    }

    /** Ends such as wait, also what is being started and then waits again; what is with the provider goes on. */
    public void drop(Predicate<Operation<?>> which, Throwable why) {
        Done done = new Done();
        flow.fail(this, which, done, operation -> why);
        Done.finish(done.take());
    }

    /** The earliest deadline of what waits. */
    synchronized long earliest() {
        long earliest = Clock.NEVER;
        for (Operation<?> operation = head; operation != null; operation = operation.next) {
            earliest = Math.min(earliest, operation.deadline);
        }
        return earliest;
    }

    @Override
    public String toString() {
        return underWay + " of at most " + limit + " with the provider, " + waiting + " waiting";
    }
}
