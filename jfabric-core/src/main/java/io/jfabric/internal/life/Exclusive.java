// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Native calls of several objects, of which only one may run at a time. A thread inside one waits for nothing else, and
 * threads that come meanwhile spin. The first thread pays a store before and after each call as long as it is the only
 * one, by the protocol of {@link Entry}; when a second one comes, an atomic flag takes over for good.
 */
public final class Exclusive {
    private static final int SPINS = 64;
    /** Only the first thread has come so far. */
    private static final int OWNED = 0;
    /** A second thread has come, and waits until the first is out; others wait behind it. */
    private static final int ENDING = 1;
    /** The flag decides. */
    private static final int SHARED = 2;
    private static final VarHandle INSIDE;
    private static final VarHandle STATE;
    private static final VarHandle TAKEN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INSIDE = lookup.findVarHandle(Exclusive.class, "inside", int.class).withInvokeExactBehavior();
            STATE = lookup.findVarHandle(Exclusive.class, "state", int.class).withInvokeExactBehavior();
            TAKEN = lookup.findVarHandle(Exclusive.class, "taken", int.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Set once, under the monitor; read without it: any other thread sees that it is not the first. */
    private Thread first;
    /** 1 while the first thread is in a call without the flag. Written by that thread only. */
    private int inside;
    private int state;
    private int taken;

    /** Waits until no other thread is in such a call; to be followed by {@link #leave}. Does not nest. */
    public void enter() {
        if (first == Thread.currentThread()) {
            INSIDE.setOpaque(this, 1);
            // the processor may load this before that store is visible: the barrier makes up for it
            if ((int) STATE.getOpaque(this) == OWNED) {
                return;
            }
            INSIDE.setRelease(this, 0);
        }
        enterSlowly(Thread.currentThread());
    }

    /** After the call. */
    public void leave() {
        if (first == Thread.currentThread() && inside != 0) {
            INSIDE.setRelease(this, 0);
        } else {
            TAKEN.setRelease(this, 0);
        }
    }

    /** As {@link #enter()}; null if calls may run at the same time. */
    public static void enter(Exclusive calls) {
        if (calls != null) {
            calls.enter();
        }
    }

    /** After {@link #enter(Exclusive)} and the call. */
    public static void leave(Exclusive calls) {
        if (calls != null) {
            calls.leave();
        }
    }

    private void enterSlowly(Thread me) {
        if (first != me && (int) STATE.getAcquire(this) != SHARED && isFirst(me)) {
            return;
        }
        for (int i = 1; !TAKEN.compareAndSet(this, 0, 1); i++) {
            pause(i);
        }
    }

    /** Makes this thread the first if there is none; otherwise ends the first one's privilege. */
    private synchronized boolean isFirst(Thread me) {
        if (first == null) {
            first = me;
            INSIDE.setRelease(this, 1);
            return true;
        }
        if ((int) STATE.getAcquire(this) == OWNED) {
            STATE.setRelease(this, ENDING);
            boolean isOut = false;
            try {
                Barrier.allThreads();
                for (int i = 1; (int) INSIDE.getAcquire(this) != 0; i++) {
                    pause(i);
                }
                isOut = true;
            } finally {
                // without memory for the barrier the next thread tries it again
                STATE.setRelease(this, isOut ? SHARED : OWNED);
            }
        }
        return false;
    }

    private static void pause(int times) {
        if (times % SPINS == 0) {
            GivingWay.giveWay(times / SPINS);
        } else {
            Thread.onSpinWait();
        }
    }
}
