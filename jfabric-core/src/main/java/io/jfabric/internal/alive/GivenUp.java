// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.util.LinkedHashSet;

/**
 * The keys of the peers that watched this node when it gave them up, as it did not hear from them. A peer that was only
 * stopped, or cut off, goes on asking with its key, and would not learn otherwise that what was between the two has
 * failed here. Whoever watches this node anew asks with another key. A peer that is told so does not note the sender's
 * key in turn: the sender has dropped its watch already, and a key that it asks with by now is a new beginning.
 */
final class GivenUp {
    /** Beyond these the oldest key is dropped: whoever has it is hardly alive. */
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
