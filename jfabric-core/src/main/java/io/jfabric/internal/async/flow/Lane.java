// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.life.GivingWay;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;

/**
 * Operations to be started in order: the transmits to one peer, or the receives of an endpoint. While some wait, new
 * ones go behind them. The lock is held for a few instructions only, never while calling the provider.
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
    /** The list that it is in while operations wait. */
    private final LaneList list;
    private final int limit;
    /** Places that it shares with other lanes; null if it shares none. */
    private final Places shared;
    /** That of who had the address before, while the provider may have some of it; null if there is none. */
    private volatile Lane before;
    private volatile int underWay;
    private volatile int waiting;
    private boolean listed;
    private volatile boolean closed;
    private Operation<?> head;
    private Operation<?> tail;
    /** The first operation while it is being given to the provider, until it is out of the list. */
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

    /** Lets nothing start while the provider has some of another lane, which is closed. Before it is used. */
    Lane behind(Lane earlier) {
        before = earlier;
        isBehind();
        return this;
    }

    /** Whether the provider still has some of the lane that this one waits for. */
    public boolean isBehind() {
        for (Lane earlier = before; earlier != null; earlier = before) {
            if (earlier.underWay > 0) {
                return true;
            }
            before = earlier.before;
        }
        return false;
    }

    public int underWay() {
        return underWay;
    }

    public int waiting() {
        return waiting;
    }

    /**
     * Takes a place for one more with the provider; false if there is none, it is behind another, or the lane is
     * closed: whoever closes it looks at what is under way afterwards, and then gives up the peer's address.
     */
    boolean enter() {
        if ((int) UNDER_WAY.getAndAdd(this, 1) < limit && !closed && !isBehind()
                && (shared == null || shared.enter())) {
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
            // under the lock: whoever adds the next one can rely on the lane being in the list
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

    /** The first operation, to be started; null if none waits or the lane is closed, which then is no longer listed. */
    synchronized Operation<?> first() {
        if (head == null || closed) {
            listed = false;
            return null;
        }
        head.phase(Operation.STARTING);
        starting = head;
        return head;
    }

    /** The first could not be started, and waits again. */
    synchronized void keep(Operation<?> operation) {
        starting = null;
        operation.phase(Operation.QUEUED);
    }

    /** Takes out an operation if it waits. */
    synchronized boolean remove(Operation<?> operation) {
        if (operation.phase() != Operation.QUEUED) {
            return false;
        }
        unlink(operation);
        operation.phase(Operation.OVER);
        return true;
    }

    /** Takes out an operation that was started; its phase is no longer the lane's to set. */
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
     * Lets nothing wait or be started any more. An operation that another thread is just starting, in one call of the
     * provider, has been started or waits again when this returns; the caller must then take out those that wait.
     */
    void close() {
        synchronized (this) {
            closed = true;
        }
        for (int n = 1; isStarting(any -> true); n++) {
            GivingWay.giveWay(n);
        }
    }

    /** Whether a matching operation is just being given to the provider. */
    synchronized boolean isStarting(Predicate<Operation<?>> which) {
        return starting != null && which.test(starting);
    }

    /** Takes out all waiting operations whose deadline is at or before a moment, linked by their {@code next}. */
    Operation<?> takeLate(long moment) {
        return take(operation -> operation.deadline <= moment);
    }

    /** Takes out the matching operations that wait, linked by their {@code next}. */
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

    /** Operations that waited, linked by their {@code next}, and whether one more may wait again. */
    record Taken(Operation<?> first, boolean more) {
    }

    /** Takes out the matching ones that wait. In one step: one that begins to start in between would be missed. */
    synchronized Taken takeAndLook(Predicate<Operation<?>> which) {
        return new Taken(take(which), isStarting(which));
    }

    /** Ends the matching operations that wait, or are being started and then wait again; others go on. */
    public void drop(Predicate<Operation<?>> which, Throwable why) {
        Done done = new Done();
        flow.fail(this, which, done, operation -> why);
        Done.finish(done.take());
    }

    /** The earliest deadline of the operations that wait. */
    synchronized long earliest() {
        long earliest = Clock.NEVER;
        for (Operation<?> operation = head; operation != null; operation = operation.next) {
            earliest = Math.min(earliest, operation.deadline);
        }
        return earliest;
    }

    @Override
    public String toString() {
        return underWay + " of at most " + limit + " with the provider, " + waiting + " waiting" + (isBehind()
                ? ", for which the provider still has messages to who had this address before" : "");
    }
}
