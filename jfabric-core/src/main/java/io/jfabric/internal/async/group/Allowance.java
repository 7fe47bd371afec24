// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.group.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps members of a group from sending more and more messages to one that is late: some providers read nothing more of
 * a peer once so many are here that nobody has asked for. What a member has received it says when it is some; the
 * sender goes that far ahead of it. Only messages of operations that begin are held back. So those that have begun end
 * without waiting for later ones, and then the next ones can go. Any thread.
 */
final class Allowance {
    /** A member, in one of the groups that it has in common with this one. */
    private static final class Member {
        /** How many were sent to it of which it has not said that they were received. */
        int ahead;
        /** Of the latest operation of which something was sent to it; of none if that is 0. */
        long latest;
        /** How many were received from it of which it was not told. */
        int untold;
    }

    /** Of as many as may be ahead, the part after which a member says so. */
    private static final int PART = 3;
    private static final long RETRY_MILLIS = 10;

    private final NodeImpl node;
    private final Words words;
    private final int most;
    private final HeldBack waiting;
    /** By their ranks, by their groups. */
    private final Map<Long, Map<Integer, Member>> members = new HashMap<>();
    private boolean over;

    Allowance(NodeImpl node, Words words, int most) {
        this(node, words, most, Ticks::once);
    }

    Allowance(NodeImpl node, Words words, int most, Sweep.Timer timer) {
        this.node = node;
        this.words = words;
        this.most = most;
        this.waiting = new HeldBack(node.drive(), timer);
    }

    /** Starts a message to the member of that rank as soon as that may be. */
    void start(TaggedSend message, int receiver) {
        long key = key(message.tag(), receiver);
        synchronized (this) {
            Member member = member(key);
            if (!over && (waiting.first(key) != null || member.ahead >= most) && begins(message, member)) {
                waiting.add(message, key);
                return;
            }
            goes(message, member);
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

    private Member member(long key) {
        return members.computeIfAbsent(Tags.group(key), group -> new HashMap<>())
                .computeIfAbsent(Tags.rank(key), rank -> new Member());
    }

    /** Whether nothing of its operation, or of a later one, has gone to that member so far. */
    private static boolean begins(TaggedSend message, Member member) {
        return member.latest == 0 || Tags.isLater(message.tag(), member.latest);
    }

    private static void goes(TaggedSend message, Member member) {
        member.ahead++;
        if (begins(message, member)) {
            member.latest = message.tag();
        }
    }

    /** A message from a member, who tells that from others by this member's rank, was received. */
    void received(long tag, PeerImpl sender, int rank, int own) {
        int some;
        synchronized (this) {
            Member member = member(key(tag, rank));
            member.untold++;
            if (member.untold < Math.max(1, most / PART)) {
                return;
            }
            some = member.untold;
            member.untold = 0;
        }
        tell(sender, key(tag, own), some);
    }

    /** Until it was told: it may be waiting for that. */
    private void tell(PeerImpl sender, long key, int received) {
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
        List<TaggedSend> next = new ArrayList<>();
        synchronized (this) {
            Map<Integer, Member> group = members.get(Tags.group(key));
            Member member = group == null ? null : group.get(Tags.rank(key));
            if (member == null) {
                return;
            }
            // a peer may say anything
            member.ahead -= Math.max(0, Math.min(received, member.ahead));
            TaggedSend first = waiting.first(key);
            while (first != null && (member.ahead < most || !begins(first, member))) {
                if (waiting.withdraw(first, key)) {
                    goes(first, member);
                    next.add(first);
                }
                first = waiting.first(key);
            }
        }
        next.forEach(waiting::start);
    }

    /** No member sends anything in that group any more. */
    synchronized void forget(long group) {
        members.remove(group);
    }

    /** Nothing is heard any more. */
    void end(Throwable why) {
        synchronized (this) {
            over = true;
        }
        waiting.endAll(why);
    }
}
