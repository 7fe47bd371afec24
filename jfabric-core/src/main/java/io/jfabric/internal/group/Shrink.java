// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.async.Group;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** One call of {@link Group#shrink}. The lock of {@link Shrinking} guards all that changes, except {@code held}. */
final class Shrink {
    final Core from;
    /** The ranks of the group's members in the first group. */
    final int[] members;
    final long value;
    final Duration longest;
    final Function<Core, Group> made;
    final CompletableFuture<Group.Shrunk> future;
    /** Whether those who are left are being asked to agree. */
    boolean isBusy;
    /** The agreement under way; null if there is none, or it has failed. */
    Agreement agreement;
    /** What it has failed with last; null if it has not. */
    Throwable failure;
    /** The outcome; null if there is none yet. */
    Group.Shrunk shrunk;
    private final List<Runnable> held = new ArrayList<>();
    private boolean over;

    Shrink(Core from, int[] members, long value, Duration longest, Function<Core, Group> made,
            CompletableFuture<Group.Shrunk> future) {
        this.from = from;
        this.members = members;
        this.value = value;
        this.longest = longest;
        this.made = made;
        this.future = future;
    }

    /** Has this run when it is over; now, if it is. */
    void holds(Runnable lets) {
        synchronized (held) {
            if (!over) {
                held.add(lets);
                return;
            }
        }
        lets.run();
    }

    void release() {
        List<Runnable> all;
        synchronized (held) {
            over = true;
            all = List.copyOf(held);
            held.clear();
        }
        all.forEach(Runnable::run);
    }
}
