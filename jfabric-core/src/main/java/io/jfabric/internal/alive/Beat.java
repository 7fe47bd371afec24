// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A keep-alive message: 32 bytes, little endian, then the address of who asks. From a peer: checked, not believed. */
final class Beat {
    static final int HEADER = 32;
    static final int LARGEST = 512;
    /** Asks whether the peer is there, by who watches it. */
    static final int PING = 1;
    static final int PONG = 2;
    /** Instead of an answer: what was between the two has failed. */
    static final int GIVEN_UP = 3;
    /** Asks who has asked which process it is; answered with {@link #PONG}. */
    static final int WHO = 4;
    /** The node is closed, to who watches it; answered with {@link #HEARD}. */
    static final int GOODBYE = 5;
    static final int HEARD = 6;

    private static final int MAGIC = 0x01616A;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Beat() {
    }

    /** The key is chosen by who asks, the incarnation is that of who sends. */
    static void write(MemorySegment at, int type, long key, long incarnation, int more) {
        at.set(INT, 0, MAGIC | type << 24);
        at.set(INT, 4, more);
        at.set(LONG, 8, key);
        at.set(LONG, 16, incarnation);
        at.set(LONG, 24, 0);
    }

    static boolean isSound(MemorySegment at, long length) {
        return length >= HEADER && length <= LARGEST && (at.get(INT, 0) & 0xFFFFFF) == MAGIC
                && at.get(INT, 4) == length - HEADER;
    }

    static int type(MemorySegment at) {
        return at.get(INT, 0) >>> 24;
    }

    static long key(MemorySegment at) {
        return at.get(LONG, 8);
    }

    static long incarnation(MemorySegment at) {
        return at.get(LONG, 16);
    }

    static byte[] address(MemorySegment at) {
        return at.asSlice(HEADER, at.get(INT, 4)).toArray(ValueLayout.JAVA_BYTE);
    }
}
