// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one thread needs to enter one object without an atomic instruction: its own count of how deep it is inside,
 * and the handle, which others set to 0 to keep it out. An entry has one at a time.
 *
 * <p>Only its thread writes {@link #inside}; others write {@link #handle}, under the entry's monitor. A bias that was
 * taken from its thread never gets a handle again, so a thread that still reads it goes the slow way.
 */
public final class Bias {
    /** Added to {@link #inside} while a handler runs: the thread keeps its turn, but is not in native code. */
    static final int HANDLING = 1 << 16;
    private static final int NATIVE = HANDLING - 1;

    static final VarHandle INSIDE;
    static final VarHandle HANDLE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INSIDE = lookup.findVarHandle(Bias.class, "inside", int.class).withInvokeExactBehavior();
            HANDLE = lookup.findVarHandle(Bias.class, "handle", long.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Lets nobody in. */
    public static final Bias NOBODY = new Bias(null, 0, 0);

    final Thread thread;
    /** How many calls of this thread are in native code, and how many of its handlers run. Written by it alone. */
    int inside;
    long handle;
    // two biases, of two threads, do not share a cache line (or the pair of lines that is fetched together)
    long pad0;
    long pad1;
    long pad2;
    long pad3;
    long pad4;
    long pad5;
    long pad6;
    long pad7;
    long pad8;
    long pad9;
    long pad10;
    long pad11;
    long pad12;
    long pad13;

    Bias(Thread thread, long handle, int inside) {
        this.thread = thread;
        this.handle = handle;
        this.inside = inside;
    }

    static boolean isNative(int inside) {
        return (inside & NATIVE) != 0;
    }

    int insideNow() {
        return (int) INSIDE.getAcquire(this);
    }

    /**
     * Notes that its thread is inside, this deep; returns the handle, 0 if a closer keeps it out. The compiler must
     * neither move the load before the store nor the store behind the native call that follows: the fence is no
     * instruction. The processor may do the load first: the closer's barrier makes up for it. What a closer did before
     * it gave the handle back comes before what follows the load.
     */
    long inside(int deep) {
        inside = deep;
        VarHandle.acquireFence();
        long given = handle;
        VarHandle.acquireFence();
        return given;
    }

    /** Notes that its thread is out, or only this deep inside; what the native call did comes before. */
    void outside(int deep) {
        VarHandle.releaseFence();
        inside = deep;
    }

    /** Undoes {@link Entry#own}. */
    public void leave() {
        outside(0);
    }

    /** As {@link Turnstile#handling}, after {@link Entry#own}. */
    public void handling() {
        outside(HANDLING);
    }

    /** As {@link Turnstile#handled}, after {@link Entry#own}. */
    public void handled() {
        outside(0);
    }

    /** From handlers back into native code, after {@link Entry#own}. False if a closer keeps it out. */
    public boolean enterAgain() {
        if (inside(1) != 0) {
            return true;
        }
        outside(HANDLING);
        return false;
    }

    /**
     * Lets its thread in if it is not inside already. For callers that keep what {@link Entry#own} returned, and ask
     * the entry again when this is false: a bias that the entry has replaced lets nobody in.
     */
    public boolean enters() {
        if (thread != Thread.currentThread() || inside != 0) {
            return false;
        }
        if (inside(1) == 0) {
            leave();
            return false;
        }
        return true;
    }

    boolean isOf(Thread other) {
        return thread == other;
    }

    /** Whether its thread may still use it. What a dead thread did is visible to whoever finds it dead. */
    boolean isAlive() {
        return thread != null && thread.isAlive();
    }
}
