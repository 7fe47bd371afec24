// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Native calls of several objects, of which one may run at a time. A thread that is in one waits for nothing else, and
 * who comes meanwhile spins. The first thread pays a store before and after each call as long as it is the only one, by
 * the protocol of {@link Entry}; when a second one comes, an atomic flag takes its place forever.
 */
public final class Exclusive {
    private static final int SPINS = 64;
    /** Of the first thread alone. */
    private static final int OWNED = 0;
    /** Another one has come, and waits until the first is out: who is not the first waits behind it. */
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

    /** Set once, under the monitor; read without: another thread than the owner sees that it is not. */
    private Thread first;
    /** 1 while the first thread is in a call, as the only one. Its own but for the first time. */
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

    /** As {@link #enter()}, of one that there may not be: null, and nothing has to be alone. */
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

    /** Otherwise ends that there is a first. */
    private synchronized boolean isFirst(Thread me) {
        if (first == null) {
            first = me;
            INSIDE.setRelease(this, 1);
            return true;
        }
        if ((int) STATE.getAcquire(this) == OWNED) {
            STATE.setRelease(this, ENDING);
            Barrier.allThreads();
            for (int i = 1; (int) INSIDE.getAcquire(this) != 0; i++) {
                pause(i);
            }
            STATE.setRelease(this, SHARED);
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
