// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/**
 * An entry for any number of threads at once: endpoints, counters, vectors, domains.
 *
 * <p>The first thread owns it until it has ended; the first to come after that, while no other is inside, is the next
 * owner. All others pay two atomic instructions per call. Set up with {@link #enterAsGuest}, so that the thread that
 * opens an object does not take it from the one that works with it.
 */
public final class SharedEntry extends Entry {
    /**
     * An entry.
     *
     * @param object address of the open object
     * @param inService false to let only guests in for now
     */
    public SharedEntry(long object, boolean inService) {
        super(object, inService);
    }

    @Override
    long enterSlowly(Thread me) {
        Bias b = bias();
        if (!b.isOf(me) && !isFree(b) && only() == null) {
            addGuest(1);
            long h = guestHandle();
            if (h != 0) {
                return h;
            }
            addGuest(-1);
        }
        return enterLocked(me);
    }

    // a thread that is inside as a guest must not become the owner: its leave() would take the owner's way
    private boolean isFree(Bias b) {
        return !b.isAlive() && guests() == 0;
    }

    @Override
    boolean admit(Thread me) {
        Bias b = bias();
        if (b.isOf(me)) {
            b.inside(b.inside + 1);
        } else if (isFree(b) && !isParked()) {
            bias(me, 1);
        } else {
            addGuest(1);
        }
        return true;
    }

    @Override
    void leaveSlowly() {
        addGuest(-1);
    }
}
