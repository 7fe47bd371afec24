// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/** Changes an object, one thread after the other. */
public final class Turn {
    private Turn() {
    }

    /**
     * Runs the action while nothing of the fabric is closed. Where only one thread at a time may be inside the object,
     * takes it over first: a thread that has it must not wait for the lock.
     */
    public static void locked(FidObject object, Runnable action) {
        if (object.isOpen()) {
            object.call(fid -> fid);
        }
        object.locked(action);
    }
}
