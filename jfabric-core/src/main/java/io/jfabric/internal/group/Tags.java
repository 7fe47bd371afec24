// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

/**
 * The tags of collective messages: bit 62 marks them; then come 24 bits for the group, 12 for the operation, 10 for the
 * message among those of its sender to its receiver, and 16 for the sender's rank. Numbers that do not fit begin anew:
 * messages of one sender with the same tag arrive in order.
 */
public final class Tags {
    /** Set only in the tags of collective messages. Bit 63 is not used: some providers have it for themselves. */
    public static final long MARK = 1L << 62;
    /** The most members of a group. */
    static final int MEMBERS = 1 << 16;
    private static final int GROUP_BITS = 24;
    private static final int OPERATION_BITS = 12;
    private static final int MESSAGE_BITS = 10;
    private static final int RANK_BITS = 16;

    /** The bits in which the tags of a group differ. */
    public static final long ANY_OF_GROUP = (1L << OPERATION_BITS + MESSAGE_BITS + RANK_BITS) - 1;

    private Tags() {
    }

    /** What tells groups apart, from the name: wide enough that no two names ever have the same. */
    static long id(String name) {
        long hash = 0xCBF2_9CE4_8422_2325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100_0000_01B3L;
        }
        return hash;
    }

    /** The number of a group in its tags: one in millions of other groups has the same. */
    static int number(long id) {
        return (int) (id ^ id >>> GROUP_BITS ^ id >>> 2 * GROUP_BITS) & (1 << GROUP_BITS) - 1;
    }

    /** To receive messages with, ignoring {@link #ANY_OF_GROUP}. */
    public static long ofGroup(int group) {
        return of(group, 0, 0, 0);
    }

    /** What the tags of the same group have in common: as {@link #ofGroup}. */
    public static long group(long tag) {
        return tag & ~ANY_OF_GROUP;
    }

    /** The rank in a tag. */
    public static int rank(long tag) {
        return (int) (tag & (1 << RANK_BITS) - 1);
    }

    /** Whether a message is of a later operation of the same group: at most half of all numbers later. */
    public static boolean isLater(long tag, long than) {
        return distance(tag, operation(than)) > 0;
    }

    /** How much later a message's operation is than one with this number: at most half of them, either way. */
    public static long distance(long tag, long operation) {
        long later = operation(tag) - operation & (1 << OPERATION_BITS) - 1;
        return later < 1 << OPERATION_BITS - 1 ? later : later - (1 << OPERATION_BITS);
    }

    private static long operation(long tag) {
        return tag >>> MESSAGE_BITS + RANK_BITS & (1 << OPERATION_BITS) - 1;
    }

    /** The tag with another rank in it. */
    public static long withRank(long tag, int rank) {
        return tag & -1L << RANK_BITS | rank;
    }

    static long of(int group, int operation, int message, int sender) {
        long tag = group;
        tag = tag << OPERATION_BITS | operation & (1 << OPERATION_BITS) - 1;
        tag = tag << MESSAGE_BITS | message & (1 << MESSAGE_BITS) - 1;
        return MARK | tag << RANK_BITS | sender;
    }
}
