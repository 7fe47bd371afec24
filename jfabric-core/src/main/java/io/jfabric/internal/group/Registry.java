// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * The groups of a node. What members say is of the group of that name; tags have room only for a number, which seldom
 * two names have in common: then one of the two groups is refused.
 */
public final class Registry {
    static final int MOST_EARLY = 1 << 12;
    private static final int MOST_NAMES = 1 << 16;

    /** By their numbers in tags. */
    private final Map<Integer, Core> open = new HashMap<>();
    /** Those that hear what members say: all but those that are being made. */
    private final Map<Long, Core> hearing = new HashMap<>();
    /** Late messages with these numbers may come. */
    private final Numbers spent = new Numbers();
    /** Which groups have failed here; the oldest are dropped. */
    private final Set<Long> failed = new LinkedHashSet<>();
    /** Failures of groups not made here yet. Some never will be, and a peer may send any: the oldest are dropped. */
    private final Map<Long, Failure> early = new LinkedHashMap<>();
    /** In the same way, whom a member has lost. */
    private final Map<Says, Lost> earlyLosses = new LinkedHashMap<>();
    private final Turns turns;

    private record Says(long group, int turn, int rank) {
    }

    /**
     * What was heard of a group before it was made.
     *
     * @param failure null if none
     */
    record Early(Failure failure, List<Lost> losses) {
    }

    public Registry() {
        this(MOST_NAMES);
    }

    /** With how many names it knows how often they were used. */
    Registry(int names) {
        this.turns = new Turns(names);
    }

    /**
     * Takes the group's number. Returns null, or why another group keeps it from that: then this one has failed, which
     * the other members cannot know.
     */
    synchronized String take(Core group) {
        int number = Tags.number(group.id);
        Core other = open.get(number);
        if (other != null && other.id == group.id) {
            throw new IllegalStateException("this node already has an open group of this name and these members: close "
                    + "it, or give the new one another name");
        }
        if (failed.contains(group.id)) {
            throw new IllegalStateException("a group of this name and these members has failed, and its messages may "
                    + "still come: give the new one another name");
        }
        if (other == null && mayBeMade(group.id)) {
            open.put(number, group);
            return null;
        }
        fails(group.id);
        return "the group cannot be made: a group of the node whose tags are the same by chance "
                + (other != null ? "is open" : "has failed, and its messages may still come")
                + "; give the new one another name at all members";
    }

    /** Unless late messages would be taken for its own; those of a group that has failed elsewhere are its own. */
    private boolean mayBeMade(long group) {
        return !spent.has(Tags.number(group)) || early.containsKey(group);
    }

    private void fails(long group) {
        spent.add(Tags.number(group));
        early.remove(group);
        failed.add(group);
        dropOldest(failed);
    }

    /** Which group of its name the open one is, or else the next one will be; less than 0 if that is not known. */
    synchronized int turn(long group) {
        return turns.of(group);
    }

    /** From now on the group is told what members say. Returns what they have said before. */
    synchronized Early hears(Core group) {
        hearing.put(group.id, group);
        int turn = turns.of(group.id);
        List<Lost> losses = earlyLosses.values().stream()
                .filter(lost -> lost.group() == group.id && lost.isOf(turn)).toList();
        earlyLosses.values().removeAll(losses);
        Failure failure = early.get(group.id);
        // one that is heard stays until the group is closed: that fails
        return new Early(failure == null || failure.isLater(turn) ? null : failure.in(turn), losses);
    }

    /**
     * A member says that it has failed.
     *
     * @param nobodys gets the number of a group whose messages nobody will receive: none was made here, and none can be
     */
    public void heard(Failure failure, IntConsumer nobodys) {
        int number = Tags.number(failure.group());
        Core group;
        Failure now;
        boolean isOfNobody = false;
        synchronized (this) {
            int turn = turns.of(failure.group());
            now = failure.in(turn);
            group = failure.isLater(turn) ? null : hearing.get(failure.group());
            if (group == null && mayBeMade(failure.group())) {
                early.merge(failure.group(), failure, Failure::orEarlier);
                dropOldest(early.keySet());
                // whether it is made here or not: messages of this group may come
                spent.add(number);
                isOfNobody = !failure.isLater(turn) && now.ends(0) && !open.containsKey(number);
            }
        }
        if (group != null) {
            group.heard(now);
        } else if (isOfNobody) {
            nobodys.accept(number);
        }
    }

    /** A member says whom it has lost. */
    public void heard(Lost lost) {
        Core group;
        synchronized (this) {
            int turn = turns.of(lost.group());
            group = lost.isOf(turn) ? hearing.get(lost.group()) : null;
            if (group == null && (lost.isOf(turn) || lost.turn() > turn) && mayBeMade(lost.group())) {
                earlyLosses.merge(new Says(lost.group(), lost.turn(), lost.rank()), lost, Lost::and);
                dropOldest(earlyLosses.keySet());
            }
        }
        if (group != null) {
            group.heard(lost);
        }
    }

    private static void dropOldest(Set<?> heard) {
        if (heard.size() > MOST_EARLY) {
            Iterator<?> all = heard.iterator();
            all.next();
            all.remove();
        }
    }

    synchronized void release(Core group, boolean reusable) {
        open.remove(Tags.number(group.id));
        hearing.remove(group.id);
        if (reusable) {
            turns.next(group.id);
        } else {
            fails(group.id);
        }
    }
}
