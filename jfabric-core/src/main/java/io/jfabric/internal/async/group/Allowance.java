// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.group.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps members of a group from sending more and more messages to one that is late: some providers read nothing more of
 * a peer once so many are here that nobody has asked for. What a member has received it says when it is some; the
 * sender goes that far ahead of it. A message is held back only for messages of its operation and of earlier ones: so
 * no operation waits for a later one, and the earliest that is under way anywhere always goes on. Any thread.
 */
final class Allowance {
    /** Of as many as may be ahead, the part after which a member says so. */
    private static final int PART = 3;
    private static final long RETRY_MILLIS = 200;

    private final NodeImpl node;
    private final Words words;
    private final int most;
    private final HeldBack waiting;
    /** The open ones, by what their tags have in common. */
    private final Map<Long, Group> groups = new HashMap<>();
    private boolean over;

    Allowance(NodeImpl node, Words words, int most) {
        this.node = node;
        this.words = words;
        this.most = most;
        this.waiting = new HeldBack(node.drive(), Ticks::once);
    }

    /** A group begins. */
    synchronized void open(long group) {
        groups.put(group, new Group());
    }

    /** Nothing is sent or received in that group any more. */
    synchronized void close(long group) {
        groups.remove(group);
    }

    /** A message is sent or received, of whatever length. */
    synchronized void sees(long tag) {
        Group group = groups.get(Tags.group(tag));
        if (group != null) {
            group.number(tag);
        }
    }

    /** Starts a message to the member of that rank as soon as that may be. */
    void start(TaggedSend message, int receiver) {
        long key = key(message.tag(), receiver);
        synchronized (this) {
            Group group = groups.get(Tags.group(key));
            if (group != null && !over) {
                if (!group.maySend(message.tag(), receiver, most)) {
                    waiting.add(message, key);
                    return;
                }
                group.sends(message.tag(), receiver);
            }
        }
        waiting.start(message);
    }

    /** Takes a message back; false if it does not wait any more. */
    boolean withdraw(TaggedSend message, int receiver) {
        return waiting.withdraw(message, key(message.tag(), receiver));
    }

    /** What messages to a member are known by, also to that. */
    private static long key(long tag, int receiver) {
        return Tags.withRank(Tags.group(tag), receiver);
    }

    /** A message from the member of that rank, who knows this one by its own, was received. */
    void received(long tag, PeerImpl sender, int rank, int own) {
        int some;
        synchronized (this) {
            Group group = groups.get(Tags.group(tag));
            some = group == null ? 0 : group.receives(rank, Math.max(1, most / PART));
        }
        if (some > 0) {
            tell(sender, key(tag, own), some);
        }
    }

    /** Until it was told, which it may be waiting for, or the group is over here. */
    private void tell(PeerImpl sender, long key, int received) {
        synchronized (this) {
            if (!groups.containsKey(Tags.group(key))) {
                return;
            }
        }
        if (!node.isOpen() || !sender.isOpen()) {
            return;
        }
        try {
            words.tell(sender, key, received).whenComplete((done, failure) -> {
                if (failure != null) {
                    tellLater(sender, key, received);
                }
            });
        } catch (RuntimeException | Error noMemory) {
            tellLater(sender, key, received);
        }
    }

    private void tellLater(PeerImpl sender, long key, int received) {
        Completing.startAsideLater(RETRY_MILLIS, () -> tell(sender, key, received));
    }

    /** A member has received so many. */
    void heard(long key, int received) {
        synchronized (this) {
            Group group = groups.get(Tags.group(key));
            if (group != null) {
                group.hears(Tags.rank(key), received);
            }
        }
        // one by one: the end of one may take back others, which must still wait here then
        for (TaggedSend next = next(key); next != null; next = next(key)) {
            waiting.start(next);
        }
    }

    private synchronized TaggedSend next(long key) {
        int receiver = Tags.rank(key);
        Group group = groups.get(Tags.group(key));
        TaggedSend first = waiting.first(key);
        while (first != null && (group == null || group.maySend(first.tag(), receiver, most))) {
            // false if it was taken back just now
            if (waiting.withdraw(first, key)) {
                if (group != null) {
                    group.sends(first.tag(), receiver);
                }
                return first;
            }
            first = waiting.first(key);
        }
        return null;
    }

    /** Nothing is heard any more. */
    void end(Throwable why) {
        synchronized (this) {
            over = true;
        }
        waiting.endAll(why);
    }

    /** What is known of one. */
    private static final class Group {
        private final Map<Integer, Member> members = new HashMap<>();
        /** The latest operation that was seen. */
        private long latest;

        /** That of a message's operation, of which the tag has a part: none is that far away that it would not do. */
        long number(long tag) {
            long number = latest + Tags.distance(tag, latest);
            latest = Math.max(latest, number);
            return number;
        }

        private Member member(int rank) {
            return members.computeIfAbsent(rank, r -> new Member());
        }

        boolean maySend(long tag, int receiver, int most) {
            return member(receiver).place(number(tag)) < most;
        }

        void sends(long tag, int receiver) {
            member(receiver).sends(number(tag));
        }

        void hears(int rank, int received) {
            member(rank).hears(received);
        }

        /** How many the member is to be told of; 0 for not yet. */
        int receives(int rank, int enough) {
            Member member = member(rank);
            member.untold++;
            if (member.untold < enough) {
                return 0;
            }
            int some = member.untold;
            member.untold = 0;
            return some;
        }
    }

    /** A member. */
    private static final class Member {
        /**
         * The operations of which messages were sent that it has not said that it has received, in order. It says how
         * many, not which: the earliest are taken for received, so none is held back for one that it has received.
         */
        private final List<Long> ahead = new ArrayList<>();
        /** How many were received from it of which it was not told. */
        private int untold;

        void sends(long operation) {
            ahead.add(place(operation), operation);
        }

        /** How many are of that operation and earlier ones. */
        int place(long operation) {
            int place = ahead.size();
            while (place > 0 && ahead.get(place - 1) > operation) {
                place--;
            }
            return place;
        }

        /** A peer may say anything. */
        void hears(int received) {
            ahead.subList(0, Math.max(0, Math.min(received, ahead.size()))).clear();
        }
    }
}
