// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async;

/**
 * Tags with bit 62 are jfabric's own: no operation of a program's sends or receives them. (Bit 63 is the mark of a
 * collective operation in some providers.)
 */
public final class Tags {
    /** Not for programs. */
    public static final long RESERVED = 1L << 62;
    /** Collectives in software. */
    public static final long COLLECTIVES = RESERVED | 1L << 59;
    /** Requests and answers. */
    public static final long CALLS = RESERVED | 2L << 59;
    /** Keep-alive. */
    public static final long ALIVE = RESERVED | 3L << 59;

    private Tags() {
    }

    /** The tag of a program's. */
    static long checked(long tag) {
        if ((tag & RESERVED) != 0) {
            throw new IllegalArgumentException("tag 0x" + Long.toHexString(tag) + ": tags with bit 62 are those of the "
                    + "node's own messages");
        }
        return tag;
    }

    /** What a program's receive ignores; never bit 62, so that it takes none of jfabric's messages. */
    static long ignored(long bits) {
        return bits & ~RESERVED;
    }
}
