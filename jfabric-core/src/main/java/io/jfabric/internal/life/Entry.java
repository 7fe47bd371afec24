// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The way into the native calls of one object: says who is inside, and gives the handle to those who may enter.
 *
 * <p><b>Use.</b> {@code long h = entry.enter(); if (h == 0) throw ...; try { native call } finally { entry.leave(); }}
 * Every successful enter is paired with one leave, in the same thread. Calls nest. A thread that is inside one object
 * must not enter another one of the same fabric in a way that may wait (it would wait for a closer that waits for it;
 * both end at the closer's deadline): enter one object per operation. The same holds for a callback from native code
 * that enters in a thread that is inside without owning the entry.
 *
 * <p><b>Threads.</b> Everything here may be called by any thread. The first thread that enters owns the entry and
 * pays one plain store before its call and one after it. The protocol is Dekker's: the thread stores "I am inside" and
 * then loads the handle; a closer stores handle 0 and then loads who is inside. Each must do these in order. The
 * closer pays for both with {@link Barrier#allThreads}, see there. Threads without a bias ("guests") count themselves
 * in and out with atomic instructions, and need no barrier.
 *
 * <p><b>States.</b> Open, and in service or not (an endpoint that is not enabled); parked by a closer, during which
 * threads that come wait; closed for good.
 */
public abstract sealed class Entry permits SharedEntry, Turnstile {
    /** Indexes into {@link #counts}, whose first and last 64 bytes only keep it alone on its cache line. */
    private static final int GUESTS = 16;
    private static final int WAITING = 17;

    /**
     * Changed under the monitor, and only while its thread cannot be inside by it. Read without it: a thread that
     * reads another thread's old bias is right that it is not the owner; one that reads an old bias of its own
     * finds handle 0 there.
     */
    private Bias bias = Bias.NOBODY;
    /** Null where threads may be inside at the same time. Set before anybody enters. */
    private OneThread only;
    /** The {@code struct fid}; 0 once closed. Written under the monitor, as all below. */
    private volatile long object;
    private volatile boolean inService;
    private volatile String breakdown;
    /** Why the program must not close it; null if it may. */
    private volatile String kept;
    /** What guests may use: the object, or 0 while parked; handle is 0 also while it is not in service. */
    private volatile long setupHandle;
    private volatile long handle;
    /** The thread that has parked this entry. */
    private volatile Thread closer;
    private final AtomicIntegerArray counts = new AtomicIntegerArray(34);

    Entry(long object, boolean inService) {
        this.object = object;
        this.inService = inService;
        publish();
    }

    /**
     * Enters for a native call. Waits while a closer has parked the object; an interrupt does not end that and is kept.
     *
     * @return the handle; 0 if the caller must not go in, see {@link #refusal}
     */
    public final long enter() {
        Bias b = bias;
        if (b.thread == Thread.currentThread()) {
            int n = b.inside;
            // a constant does not wait for the load: with n + 1 one call would depend on the one before
            long h = n == 0 ? b.inside(1) : b.inside(n + 1);
            if (h != 0) {
                return h;
            }
            b.outside(n);
        }
        return enterSlowly(Thread.currentThread());
    }

    /**
     * As {@link #enter}, for the owner when it is not inside already: the common case, at the least cost. What is
     * returned is good until the thread has left by it, whatever happens meanwhile: calls in between leave it as they
     * found it, and nobody else takes it while the thread is inside.
     *
     * @return what to leave by; null if {@link #enter} must be used
     */
    public final Bias own() {
        Bias b = bias;
        return b.enters() ? b : null;
    }

    /** Undoes {@link #enter}. */
    public final void leave() {
        Bias b = bias;
        if (b.thread == Thread.currentThread()) {
            int n = b.inside;
            if (n == 1) {
                b.outside(0);
            } else {
                b.outside(n - 1);
            }
        } else {
            leaveSlowly();
        }
    }

    /** As {@link #enter} for a call that blocks in native code: a closer will {@link Guarded#wake wake} it. */
    public final long enterToWait() {
        long h = enter();
        if (h != 0) {
            counts.getAndIncrement(WAITING);
        }
        return h;
    }

    /** After {@link #enterToWait}: the wait is over, but the thread stays inside. */
    public final void waited() {
        counts.getAndDecrement(WAITING);
    }

    /** Undoes {@link #enterToWait}. */
    public final void leaveFromWait() {
        counts.getAndDecrement(WAITING);
        leave();
    }

    /**
     * As {@link #enter} for calls around the life of the object: setting up, options, waking it from another thread.
     * It never makes the caller the owner, takes no turn, and works also before the object is in service.
     *
     * @return the handle; 0 if the object is closed, or can only be closed
     */
    public final long enterAsGuest() {
        Thread me = Thread.currentThread();
        claim(me);
        counts.getAndIncrement(GUESTS);
        long h = setupHandle;
        if (h != 0 && isClaimed(me)) {
            return h;
        }
        leaveAsGuest();
        for (int times = 1; ; times++) {
            claim(me);
            synchronized (this) {
                if (!isKeptOut(me)) {
                    h = object;
                    if (h == 0 || isBroken()) {
                        return 0;
                    }
                    if (isClaimed(me)) {
                        counts.getAndIncrement(GUESTS);
                        return h;
                    }
                }
            }
            GivingWay.giveWay(times);
        }
    }

    /** Where only one thread at a time may be inside, makes it this one; until it is inside, another may take over. */
    private void claim(Thread me) {
        if (only != null) {
            only.claim(me);
        }
    }

    private boolean isClaimed(Thread me) {
        return only == null || only.isOf(me);
    }

    /** From now on one thread at a time may be inside this and all other entries with the same promise. */
    final void only(OneThread promise) {
        only = promise;
    }

    /** The promise that was given; null if none. */
    final OneThread only() {
        return only;
    }

    /** Makes the owner enter by the slow way again. Only while parked, when nobody is inside or has a turn. */
    final synchronized void dismiss() {
        bias = Bias.NOBODY;
    }

    /** Whether a thread other than this one runs handlers of what it has polled, and so keeps its turn. */
    final synchronized boolean hasTurnOfOther(Thread me) {
        return !bias.isOf(me) && bias.isAlive() && bias.insideNow() != 0;
    }

    /** Undoes {@link #enterAsGuest}. */
    public final void leaveAsGuest() {
        counts.getAndDecrement(GUESTS);
    }

    /** Whether the object is open. */
    public final boolean isOpen() {
        return object != 0;
    }

    /** From now on it is closed only with what it was opened from, for this reason; null: by anybody again. */
    public final void keep(String why) {
        kept = why;
    }

    /** Whether only its parent may close it. */
    public final boolean isKept() {
        return kept != null;
    }

    /** Whether it is open; throws if the program must not close it. */
    final boolean mayBeClosed() {
        String why = kept;
        if (why != null && isOpen()) {
            throw new IllegalStateException(why);
        }
        return isOpen();
    }

    /** Whether operations are let in, unless a closer keeps them out. */
    public final boolean isInService() {
        return inService;
    }

    /** The object whatever its state, for closers and for messages; 0 once closed. */
    public final long object() {
        return object;
    }

    /** Lets operations in from now on, or keeps them out, regardless of who is inside. */
    public final synchronized void inService(boolean yes) {
        inService = yes;
        publish();
    }

    /** Keeps operations out for good; {@link #breakdown} tells why. */
    public final synchronized void breakDown(String why) {
        breakdown = why;
        publish();
    }

    /** Whether it can only be closed, and no closer is at work. */
    final boolean isBroken() {
        return breakdown != null && closer == null;
    }

    /** Why the object can only be closed; null while it can be used. */
    public final String breakdown() {
        return breakdown;
    }

    /** The object is gone. To be called by a closer, while it has parked this, or where nobody else knows of it. */
    public final synchronized void closed() {
        object = 0;
        publish();
    }

    /** Why {@link #enter} returned 0, to follow the name of the object; as it is now. */
    public final String refusal() {
        if (object == 0) {
            return "is closed";
        }
        if (!inService) {
            return "is not enabled: call enable() first";
        }
        String inside = whoIsInside();
        return "is in use by " + (inside.isEmpty() ? "another thread" : inside) + ": one thread at a time";
    }

    // ---- for closers ----

    /**
     * Keeps everybody but that thread out.
     *
     * @return whether a barrier is needed before {@link #isQuiet} tells the truth
     */
    final synchronized boolean park(Thread by) {
        if (closer != null) {
            throw new IllegalStateException("parked by " + closer + " already: closers need a lock");
        }
        closer = by;
        publish();
        return !bias.isOf(by) && bias.isAlive();
    }

    final boolean isParkedBy(Thread by) {
        return closer == by;
    }

    final synchronized void unpark() {
        closer = null;
        publish();
    }

    /** Whether nobody is in native code; that thread's own calls do not count. Stays so while parked. */
    final synchronized boolean isQuiet(Thread by) {
        return counts.get(GUESTS) == 0 && (bias.isOf(by) || !isInside(bias)) && turnIsQuiet(by);
    }

    /** Whether that thread is itself in native code here, by its bias or turn: it called back from there. */
    synchronized boolean isInside(Thread thread) {
        return bias.isOf(thread) && isInside(bias);
    }

    final boolean isWaitedFor() {
        return counts.get(WAITING) != 0;
    }

    /** The threads inside, as far as they are known; empty if there is none. */
    final synchronized String whoIsInside() {
        String owner = insider();
        int guests = counts.get(GUESTS);
        String others = guests == 0 ? "" : guests + (owner.isEmpty() ? " thread(s)" : " other thread(s)");
        return owner + (owner.isEmpty() || others.isEmpty() ? "" : " and ") + others;
    }

    String insider() {
        return isInside(bias) ? name(bias.thread) : "";
    }

    static String name(Thread thread) {
        String name = thread.getName();
        // virtual threads have no name, as a rule
        return "thread " + (name.isEmpty() ? "" : name + " ") + "(#" + thread.threadId() + ")";
    }

    // ---- for the slow ways, under the monitor where they say so ----

    abstract long enterSlowly(Thread me);

    abstract void leaveSlowly();

    /** Lets the thread in, under the monitor; false if another thread has its turn. */
    abstract boolean admit(Thread me);

    /** Whether no other thread is in native code with a turn that is not a bias. */
    boolean turnIsQuiet(Thread by) {
        return true;
    }

    /**
     * Enters under the monitor, once no closer keeps the thread out. An interrupt does not end the wait: the thread may
     * work for others, and a refusal would look as if the object were closed. It does not wait in the monitor: a
     * virtual thread that is notified there and gets no carrier would be next in line for it, before all others.
     */
    final long enterLocked(Thread me) {
        for (int times = 1; ; times++) {
            claim(me);
            synchronized (this) {
                if (!isKeptOut(me) && isClaimed(me)) {
                    long h = inService && breakdown == null ? object : 0;
                    return h != 0 && admit(me) ? h : 0;
                }
            }
            GivingWay.giveWay(times);
        }
    }

    /** Under the monitor: whether the thread must wait for a closer, which it is not, while it is not inside itself. */
    private boolean isKeptOut(Thread me) {
        return closer != null && closer != me && !isInside(me);
    }

    final Bias bias() {
        return bias;
    }

    /** Under the monitor; the previous bias must be unable to enter, and not inside. */
    final void bias(Thread thread, int inside) {
        bias = thread == null ? Bias.NOBODY : new Bias(thread, handle, inside);
    }

    final long guestHandle() {
        return handle;
    }

    final boolean isParked() {
        return closer != null;
    }

    final int guests() {
        return counts.get(GUESTS);
    }

    /** Atomic, and ordered with the handle that is read next. */
    final void addGuest(int change) {
        counts.getAndAdd(GUESTS, change);
    }

    private static boolean isInside(Bias b) {
        return Bias.isNative(b.insideNow()) && b.isAlive();
    }

    private void publish() {
        setupHandle = closer == null && breakdown == null ? object : 0;
        handle = inService ? setupHandle : 0;
        if (bias != Bias.NOBODY) {
            // with what was done while it was parked
            Bias.HANDLE.setRelease(bias, handle);
        }
    }
}
