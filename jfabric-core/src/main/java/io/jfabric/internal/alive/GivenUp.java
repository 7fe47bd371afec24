// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.util.LinkedHashSet;

/**
 * The keys of those who watched this node when it gave them up, as it did not hear them. One that was only stopped, or
 * cut off, goes on asking with its key, and would not learn otherwise that what was between the two has failed here.
 * Whoever watches this node again asks with another. Who is told notes nothing: the sender has dropped its watch
 * before, and what it asks with by now is a new beginning.
 */
final class GivenUp {
    /** The oldest goes: who has not asked for so long hardly lives. */
    private static final int MOST = 4096;

    private final LinkedHashSet<Long> keys = new LinkedHashSet<>();

    synchronized void add(long key) {
        keys.add(key);
        if (keys.size() > MOST) {
            keys.removeFirst();
        }
    }

    synchronized boolean contains(long key) {
        return keys.contains(key);
    }
}
