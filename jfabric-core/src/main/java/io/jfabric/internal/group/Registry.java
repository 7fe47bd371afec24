// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The groups of one node: each has tags of its own. */
public final class Registry {
    private final Map<Integer, String> open = new HashMap<>();
    private final Set<Integer> spent = new HashSet<>();

    synchronized int take(String name) {
        int number = Tags.group(name);
        String other = open.get(number);
        if (other != null) {
            throw new IllegalStateException("this node already has an open group " + (other.equals(name)
                    ? "of this name and these members" : "whose tags are the same")
                    + ": close it, or give the new one another name");
        }
        if (spent.contains(number)) {
            throw new IllegalStateException("a group of this name and these members has failed, and its messages may "
                    + "still come: give the new one another name");
        }
        open.put(number, name);
        return number;
    }

    synchronized void release(int number, boolean reusable) {
        open.remove(number);
        if (!reusable) {
            spent.add(number);
        }
    }
}
