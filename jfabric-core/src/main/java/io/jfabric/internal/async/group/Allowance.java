// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.group.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps members of a group from sending more and more messages to one that is late: some providers read no more from a
 * peer once too many of its messages are here without a receive. Members acknowledge what they have received, some at a
 * time; a sender goes only so far ahead. A message is held back only for messages of its own and of earlier operations:
 * so no operation waits for a later one, and the earliest that is under way anywhere always goes on. Any thread.
 */
final class Allowance {
    /** A member acknowledges each time that one in PART of the messages that may be ahead has come. */
    private static final int PART = 3;
    private static final long RETRY_MILLIS = 200;

    private final NodeImpl node;
    private final Words words;
    private final int most;
    private final HeldBack waiting;
    /** The open groups, by the common part of their tags. */
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

    /** A message is sent or received, however long: notes its operation. */
    synchronized void sees(long tag) {
        Group group = groups.get(Tags.group(tag));
        if (group != null) {
            group.number(tag);
        }
    }

    /** Starts a message to the member of that rank as soon as it may be sent. */
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

    /** The key of messages to a member; the member has the same for them. */
    private static long key(long tag, int receiver) {
        return Tags.withRank(Tags.group(tag), receiver);
    }

    /** A message from the member of that rank was received; {@code own} is this member's rank. */
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

    /** Acknowledges messages. Tries until the sender, which may be waiting, was told, or the group is closed here. */
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
        Aside.later(RETRY_MILLIS, () -> tell(sender, key, received));
    }

    /** A member has acknowledged so many messages. */
    void heard(long key, int received) {
        synchronized (this) {
            Group group = groups.get(Tags.group(key));
            if (group != null) {
                group.hears(Tags.rank(key), received);
            }
        }
        // one by one: the end of one may withdraw others, which must still be waiting here then
        for (TaggedSend next = next(key); next != null; next = next(key)) {
            waiting.start(next);
        }
    }

    private synchronized TaggedSend next(long key) {
        int receiver = Tags.rank(key);
        Group group = groups.get(Tags.group(key));
        TaggedSend first = waiting.first(key);
        while (first != null && (group == null || group.maySend(first.tag(), receiver, most))) {
            // false if it was withdrawn just now
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

    /** No acknowledgement will come any more. */
    void end(Throwable why) {
        synchronized (this) {
            over = true;
        }
        waiting.endAll(why);
    }

    /** What is known of an open group. */
    private static final class Group {
        private final Map<Integer, Member> members = new HashMap<>();
        /** The latest operation seen so far. */
        private long latest;

        /** The full number of a message's operation. The tag has the lower bits, which is enough as all are close. */
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

        /** How many messages to acknowledge to the member, after one more was received; 0 if not yet. */
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

    private static final class Member {
        /**
         * The operations of the messages sent and not acknowledged, in order. A member says how many it has received,
         * not which: the earliest are taken for received, so no message is held back for one that was received.
         */
        private final List<Long> ahead = new ArrayList<>();
        /** How many messages were received from it and not acknowledged. */
        private int untold;

        void sends(long operation) {
            ahead.add(place(operation), operation);
        }

        /** How many messages of that operation and earlier ones are not acknowledged. */
        int place(long operation) {
            int place = ahead.size();
            while (place > 0 && ahead.get(place - 1) > operation) {
                place--;
            }
            return place;
        }

        /** A peer may claim any number. */
        void hears(int received) {
            ahead.subList(0, Math.max(0, Math.min(received, ahead.size()))).clear();
        }
    }
}
