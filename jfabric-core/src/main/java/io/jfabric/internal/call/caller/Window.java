// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.pool.FreeList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The slots for calls under way. A slot is free again when its call is over and none of its buffers is still being
 * sent. Allocates nothing; any thread.
 */
final class Window {
    private static final int SLOT_BITS = 20;
    private static final int SLOT = (1 << SLOT_BITS) - 1;

    final int size;
    private final FreeList free;
    private final AtomicReferenceArray<Outgoing<?>> calls;
    /** How many things each slot still waits for. */
    private final AtomicIntegerArray uses;
    private final long[] turns;
    /** How many slots have ever been free; only these can have calls. */
    private volatile int granted;

    Window(int size) {
        this.size = size;
        this.free = new FreeList(size);
        this.calls = new AtomicReferenceArray<>(size);
        this.uses = new AtomicIntegerArray(size);
        this.turns = new long[size];
    }

    /** Lets that many slots be used, never fewer than before. */
    synchronized void grant(int slots) {
        int before = granted;
        // first: whoever looks for the call in a slot must not miss one
        granted = Math.max(before, Math.min(size, slots));
        for (int slot = before; slot < granted; slot++) {
            free.push(slot);
        }
    }

    /** A free slot; -1 if there is none. */
    int pop() {
        return free.pop();
    }

    void push(int slot) {
        free.push(slot);
    }

    /** Puts a call into a slot that was popped, {@linkplain #hold held} once; its id is that of this turn. */
    void start(int slot, Outgoing<?> call) {
        turns[slot]++;
        call.id = turns[slot] << SLOT_BITS | slot;
        // one for the call itself, one for sending its request
        uses.setRelease(slot, 2);
        // before it is checked whether there is a session: whoever ends one then sees the call
        calls.set(slot, call);
    }

    /**
     * Something of the call is to be sent from the slot, or received. False if the call is over, as another thread may
     * have ended it meanwhile: then the slot is free, or another call's.
     */
    boolean hold(int slot, Outgoing<?> call) {
        int now = uses.get(slot);
        while (now > 0) {
            int was = uses.compareAndExchange(slot, now, now + 1);
            if (was == now) {
                boolean isIts = calls.get(slot) == call;
                if (!isIts) {
                    letGo(slot);
                }
                return isIts;
            }
            now = was;
        }
        return false;
    }

    /** What the slot was held for is done. Returns whether the slot is free now. */
    boolean letGo(int slot) {
        if (uses.decrementAndGet(slot) == 0) {
            free.push(slot);
            return true;
        }
        return false;
    }

    static int slot(long id) {
        return (int) id & SLOT;
    }

    /** The call for an id that came from a peer; null if it is over, or never was. */
    Outgoing<?> find(long id) {
        int slot = slot(id);
        Outgoing<?> call = slot < size ? calls.get(slot) : null;
        return call != null && call.id == id ? call : null;
    }

    /** How many slots there are to look {@link #at}. */
    int granted() {
        return granted;
    }

    Outgoing<?> at(int slot) {
        return calls.get(slot);
    }

    /** The call is over; false if it was over already. */
    boolean end(int slot, Outgoing<?> call) {
        return calls.compareAndSet(slot, call, null);
    }

    int underWay() {
        int count = 0;
        for (int i = granted - 1; i >= 0; i--) {
            count += calls.get(i) == null ? 0 : 1;
        }
        return count;
    }
}
