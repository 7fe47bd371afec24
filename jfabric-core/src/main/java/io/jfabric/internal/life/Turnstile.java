// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An entry for one thread at a time: the one that polls a completion queue or reads an event queue. A second thread
 * that comes meanwhile is refused ({@link #enter} returns 0). Calls that may run beside the poller enter as guests.
 *
 * <p>The turn lasts from enter to leave, and while handlers run in between: {@link #handling} says that the thread is
 * out of native code (so the queue may be closed, also by the handler itself) but keeps its turn, as it still reads
 * what it has polled. {@code enter, native call, leave} when there is nothing to deliver;
 * {@code enter, native call, handling, handlers, handled} when there is. A handler may enter again. A thread that
 * waits in slices, each with an enter and a leave, keeps the turn in between by {@link #keep}.
 *
 * <p>A thread that comes again and again owns the turnstile, at the cost of an {@link Entry}. When another one comes
 * and the owner is out, the turnstile is taken from it: its handle is zeroed, a barrier, a look whether it is still
 * out (tens of microseconds). From the {@value #PATIENCE}th time on a turn is an atomic flag instead, forever.
 */
public final class Turnstile extends Entry {
    /** How often the turnstile is taken from a living thread before that is found to be too dear. */
    static final int PATIENCE = 8;
    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(Turnstile.class, "holder", Thread.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int revocations;
    /** Whether {@link #holder} says whose turn it is; then there is no bias any more. */
    private volatile boolean byFlag;
    private volatile Thread holder;
    /** As {@link Bias#inside}, of the holder; written by it alone. */
    private volatile int turn;
    /**
     * The thread that keeps its turn, and how often; under the monitor. Not part of the bias, which {@link OneThread}
     * takes away between two slices: a thread that only waits must not keep others from the domain.
     */
    private Thread keeper;
    private int kept;

    /**
     * A turnstile.
     *
     * @param object address of the open object
     * @param inService false to let only guests in for now
     */
    public Turnstile(long object, boolean inService) {
        super(object, inService);
    }

    /** Until {@link #letGo} nobody else gets a turn, even while this thread is outside. False if another one has it. */
    public boolean keep() {
        if (enter() == 0) {
            return false;
        }
        Thread me = Thread.currentThread();
        synchronized (this) {
            // a keeper that died never let go
            kept = keeper == me ? kept + 1 : 1;
            keeper = me;
        }
        if (holder == me) {
            // others take the flag without the monitor, so it stays up
            giveBack(Bias.HANDLING - 1);
        } else {
            leave();
        }
        return true;
    }

    /** Undoes {@link #keep}. */
    public void letGo() {
        if (holder == Thread.currentThread()) {
            giveBack(-Bias.HANDLING);
        }
        synchronized (this) {
            if (--kept == 0) {
                keeper = null;
            }
        }
    }

    /** Between the native call and the handlers, instead of {@link #leave}: no longer in native code. */
    public void handling() {
        change(Bias.HANDLING - 1);
    }

    /** After the handlers: the turn is over. */
    public void handled() {
        change(-Bias.HANDLING);
    }

    private void change(int by) {
        Bias b = bias();
        if (b.thread == Thread.currentThread()) {
            b.outside(b.inside + by);
        } else {
            giveBack(by);
        }
    }

    @Override
    long enterSlowly(Thread me) {
        // not while parked: a closer need not meet a turn that is given back at once
        if (byFlag && guestHandle() != 0 && only() == null) {
            if (!take(me)) {
                return 0;
            }
            long h = guestHandle();
            if (h != 0) {
                return h;
            }
            giveBack(-1);
        }
        return enterLocked(me);
    }

    @Override
    void leaveSlowly() {
        giveBack(-1);
    }

    @Override
    boolean admit(Thread me) {
        Bias b = bias();
        if (b.isOf(me)) {
            b.inside(b.inside + 1);
            return true;
        }
        if (keeper != null && keeper != me && keeper.isAlive()) {
            return false;
        }
        if (byFlag) {
            return take(me);
        }
        if (b.isAlive()) {
            if (!revoke(b)) {
                return false;
            }
            if (++revocations >= PATIENCE) {
                bias(null, 0);
                holder = me;
                turn = 1;
                byFlag = true;
                return true;
            }
        }
        bias(me, 1);
        return true;
    }

    /** Takes the turnstile from its owner, if that is out. */
    private boolean revoke(Bias b) {
        if (b.insideNow() != 0) {
            return false;
        }
        if (isParked()) {
            // by this thread, after its barrier
            return true;
        }
        // the method that gives it back, too: that is linked by now, for which there may be no memory then
        Bias.HANDLE.setRelease(b, 0L);
        boolean isOut = false;
        try {
            Barrier.allThreads();
            isOut = b.insideNow() == 0;
        } finally {
            if (!isOut) {
                // it is inside, or there is no memory for the barrier
                Bias.HANDLE.setRelease(b, guestHandle());
            }
        }
        return isOut;
    }

    private boolean take(Thread me) {
        Thread other = holder;
        if (other == me) {
            turn = turn + 1;
            return true;
        }
        if (other != null && other.isAlive() || !HOLDER.compareAndSet(this, other, me)) {
            return false;
        }
        // volatile, as the handle is read next
        turn = 1;
        return true;
    }

    private void giveBack(int change) {
        int n = turn + change;
        turn = n;
        if (n == 0) {
            holder = null;
        }
    }

    @Override
    boolean turnIsQuiet(Thread by) {
        Thread other = holder;
        return other == null || other == by || !Bias.isNative(turn) || !other.isAlive();
    }

    @Override
    synchronized boolean isInside(Thread thread) {
        return super.isInside(thread) || holder == thread && Bias.isNative(turn);
    }

    @Override
    String insider() {
        Bias b = bias();
        if (b.isAlive() && b.insideNow() != 0) {
            return name(b.thread);
        }
        Thread other = holder == null ? keeper : holder;
        return other == null ? "" : name(other);
    }
}
