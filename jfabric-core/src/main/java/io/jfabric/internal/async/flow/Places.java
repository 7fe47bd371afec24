// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import java.util.concurrent.atomic.AtomicInteger;

/** A number of places with the provider that several lanes share. Any thread. */
final class Places {
    private final int most;
    private final AtomicInteger taken = new AtomicInteger();

    Places(int most) {
        this.most = most;
    }

    /** Takes a place; false if there is none. */
    boolean enter() {
        if (taken.getAndIncrement() < most) {
            return true;
        }
        leave();
        return false;
    }

    void leave() {
        taken.getAndDecrement();
    }
}
