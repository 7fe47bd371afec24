// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

/**
 * Tags with bit 61 or 62 are jfabric's own: no operation of the program sends or receives them. Bit 62 is for
 * collectives, whose tags use all bits below it. (In bit 63 some providers mark their own collective operations.)
 */
public final class OwnTags {
    /** Requests and answers. */
    public static final long CALLS = 1L << 61 | 1L << 56;
    /** Keep-alive. */
    public static final long ALIVE = 1L << 61 | 2L << 56;
    /** What group members tell each other besides their messages. */
    public static final long WORDS = 1L << 61 | 3L << 56;
    /** How many bits of a tag the provider must carry. */
    public static final int BITS = 63;
    private static final long RESERVED = 3L << 61;
    private static final long GROUPS = 1L << 62;
    private static final long KINDS = 31L << 56;

    private OwnTags() {
    }

    /** Whether a tag is for the node's own messages. */
    static boolean isOwn(long tag) {
        return (tag & RESERVED) != 0;
    }

    /** Whether the bytes of its messages are among those that the node has moved: those of keep-alive are not. */
    static boolean isCounted(long tag) {
        return tag != ALIVE;
    }

    /** Returns the tag if programs may use it. */
    static long checked(long tag) {
        if (isOwn(tag)) {
            throw new IllegalArgumentException("tag 0x" + Long.toHexString(tag) + " is not one of a program's, 0 to "
                    + "2^61 - 1: tags with bit 61 or 62 are of the node's own messages");
        }
        return tag;
    }

    /** For people: short tags of programs in decimal, others in hexadecimal; the node's own with their use. */
    static String text(long tag) {
        String hex = "0x" + Long.toHexString(tag);
        if (isOwn(tag)) {
            long kind = tag & (RESERVED | KINDS);
            // collectives have bit 62; calls have tags of several kinds
            boolean isOfGroups = kind == WORDS || (tag & GROUPS) != 0;
            return hex + (isOfGroups ? ", of groups" : kind == ALIVE ? ", of keep-alive" : ", of calls");
        }
        return tag >>> Integer.SIZE == 0 ? Long.toString(tag) : hex;
    }

    /** The bits that a program's receive ignores: never those two, so that it takes none of jfabric's messages. */
    static long ignored(long bits) {
        return bits & ~RESERVED;
    }
}
