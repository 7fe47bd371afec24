// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** The groups of a node: each has tags of its own. */
public final class Registry {
    static final int MOST_EARLY = 1 << 12;
    private static final int PAGE_BITS = 8;

    private final Map<Integer, Core> open = new HashMap<>();
    /** Those that hear what members say: all but those that are being made. */
    private final Map<Integer, Core> hearing = new HashMap<>();
    /** The names of failed groups, by number. */
    private final Map<Integer, String> spent = new HashMap<>();
    /** Failures of groups not made here yet. Some never will be, and a peer may send any: the oldest are dropped. */
    private final Map<Integer, Failure> early = new LinkedHashMap<>();
    /** In the same way, whom a member has lost. */
    private final Map<Says, Lost> earlyLosses = new LinkedHashMap<>();
    /** How many groups of a number were closed without a failure; in pages, as programs may make millions. */
    private final Map<Integer, byte[]> done = new HashMap<>();

    private record Says(int group, byte turn, int rank) {
    }

    /**
     * What was heard of a group before it was made.
     *
     * @param failure null if none
     */
    record Early(Failure failure, List<Lost> losses) {
    }

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

    /** From now on the group is told what members say. Returns what they have said before. */
    synchronized Early hears(Core group, int number) {
        hearing.put(number, group);
        byte turn = turn(number);
        List<Lost> losses = earlyLosses.values().stream()
                .filter(lost -> lost.group() == number && lost.turn() == turn).toList();
        earlyLosses.keySet().removeIf(says -> says.group == number && says.turn == turn);
        return new Early(early(number), losses);
    }

    private Failure early(int number) {
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
            group = failure.isLater(turn) ? null : hearing.get(failure.group());
            if (group == null && !spent.containsKey(failure.group())) {
                early.merge(failure.group(), failure, Failure::orEarlier);
                dropOldest(early);
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
            int ahead = (byte) (lost.turn() - turn(lost.group()));
            group = ahead == 0 ? hearing.get(lost.group()) : null;
            if (group == null && ahead >= 0 && !spent.containsKey(lost.group())) {
                earlyLosses.merge(new Says(lost.group(), lost.turn(), lost.rank()), lost, Lost::and);
                dropOldest(earlyLosses);
            }
        }
        if (group != null) {
            group.heard(lost);
        }
    }

    private static void dropOldest(Map<?, ?> heard) {
        if (heard.size() > MOST_EARLY) {
            heard.remove(heard.keySet().iterator().next());
        }
    }

    synchronized void release(int number, boolean reusable) {
        Core group = open.remove(number);
        hearing.remove(number);
        if (reusable) {
            done.computeIfAbsent(number >>> PAGE_BITS, page -> new byte[1 << PAGE_BITS])
                    [number & (1 << PAGE_BITS) - 1]++;
        } else {
            spent.put(number, group.name);
        }
    }
}
