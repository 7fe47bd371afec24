// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/** The groups of a node: each has tags of its own. */
public final class Registry {
    static final int MOST_EARLY = 1 << 12;
    private static final int PAGE_BITS = 8;

    private final Map<Integer, Core> open = new HashMap<>();
    /** The names of failed groups, by number. */
    private final Map<Integer, String> spent = new HashMap<>();
    /** Failures of groups not made here yet. Some never will be, and a peer may send any: the oldest are dropped. */
    private final Map<Integer, Failure> early = new LinkedHashMap<>();
    /** How many groups of a number were closed without a failure; in pages, as programs may make millions. */
    private final Map<Integer, byte[]> done = new HashMap<>();

    synchronized int take(Core group) {
        int number = Tags.group(group.name);
        Core other = open.get(number);
        if (other != null) {
            throw new IllegalStateException("this node already has an open group " + alike(other.name, group)
                    + ": close it, or give the new one another name");
        }
        String failed = spent.get(number);
        if (failed != null) {
            throw new IllegalStateException("a group " + alike(failed, group) + " has failed, and its messages may "
                    + "still come: give the new one another name");
        }
        open.put(number, group);
        return number;
    }

    private static String alike(String name, Core group) {
        return name.equals(group.name) ? "of this name and these members" : "whose tags are the same";
    }

    /** Which group of its number the open one is, or else the next one will be: the same at all members. */
    synchronized byte turn(int number) {
        byte[] page = done.get(number >>> PAGE_BITS);
        return page == null ? 0 : page[number & (1 << PAGE_BITS) - 1];
    }

    /** The failure that was heard of the open group before it was made; null if none. */
    synchronized Failure early(int number) {
        Failure failure = early.get(number);
        if (failure == null || failure.isLater(turn(number))) {
            return null;
        }
        early.remove(number);
        return failure.in(turn(number));
    }

    /**
     * A member says that it has failed.
     *
     * @param nobodys gets the number of a group whose messages nobody will receive: none was made here, and none can be
     */
    public void heard(Failure failure, IntConsumer nobodys) {
        Core group;
        Failure now;
        boolean isOfNobody;
        synchronized (this) {
            byte turn = turn(failure.group());
            group = failure.isLater(turn) ? null : open.get(failure.group());
            if (group == null && !spent.containsKey(failure.group())) {
                early.merge(failure.group(), failure, Failure::orEarlier);
                if (early.size() > MOST_EARLY) {
                    early.remove(early.keySet().iterator().next());
                }
            }
            now = failure.in(turn);
            isOfNobody = group == null && !failure.isLater(turn) && now.ends(0) && !spent.containsKey(failure.group());
        }
        if (group != null) {
            group.heard(now);
        } else if (isOfNobody) {
            nobodys.accept(failure.group());
        }
    }

    /** A member says whom it has lost. */
    public void heard(Lost lost) {
        Core group;
        synchronized (this) {
            group = lost.turn() == turn(lost.group()) ? open.get(lost.group()) : null;
        }
        if (group != null) {
            group.heard(lost);
        }
    }

    synchronized void release(int number, boolean reusable) {
        Core group = open.remove(number);
        if (reusable) {
            done.computeIfAbsent(number >>> PAGE_BITS, page -> new byte[1 << PAGE_BITS])
                    [number & (1 << PAGE_BITS) - 1]++;
        } else {
            spent.put(number, group.name);
        }
    }
}
