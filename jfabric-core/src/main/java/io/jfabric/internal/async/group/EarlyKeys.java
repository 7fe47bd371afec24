// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys that came before their message was there, and how often. The key of a message that was withdrawn stays, and a
 * peer may send any: if there are too many the oldest are forgotten, and the receivers have to be asked.
 */
final class EarlyKeys {
    static final int MOST = 1 << 16;

    private final Map<Long, Integer> times = new LinkedHashMap<>();
    private boolean forgetful;

    void add(long key) {
        times.merge(key, 1, Integer::sum);
        if (times.size() > MOST) {
            times.remove(times.keySet().iterator().next());
            forgetful = true;
        }
    }

    /** Whether a key that is not there may have been forgotten. */
    boolean isForgetful() {
        return forgetful;
    }

    /** Whether the key was there; takes it out once. */
    boolean take(long key) {
        Integer before = times.get(key);
        if (before == null) {
            return false;
        }
        if (before == 1) {
            times.remove(key);
        } else {
            times.put(key, before - 1);
        }
        return true;
    }

    int size() {
        return times.size();
    }
}
