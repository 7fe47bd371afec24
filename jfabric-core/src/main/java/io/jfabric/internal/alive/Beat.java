// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A keep-alive message: 32 bytes, little endian, then addresses. A question has the address of the asking node,
 * followed, over the side way, by that of its side endpoint. An answer over the main way has the address of the
 * answering node's side endpoint, if there is one. What peers send is checked, not trusted.
 */
final class Beat {
    static final int HEADER = 32;
    static final int LARGEST = 512;
    /** A watcher asks whether the peer is there. */
    static final int PING = 1;
    static final int PONG = 2;
    /** Instead of an answer: the sender has given the asker up, and what was between the two has failed. */
    static final int GIVEN_UP = 3;
    /** Asks an asker which process it is; answered with {@link #PONG}. */
    static final int WHO = 4;
    /** Tells a watcher that the node is closed; answered with {@link #HEARD}. */
    static final int GOODBYE = 5;
    static final int HEARD = 6;

    private static final int MAGIC = 0x01616A;
    private static final int MAIN = 0;
    private static final int SIDE = 1;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Beat() {
    }

    /** For the main way, with one address or none. The key is chosen by the asker, the incarnation is the sender's. */
    static void write(MemorySegment at, int type, long key, long incarnation, int more) {
        write(at, type, key, incarnation, more, MAIN, more);
    }

    /** As above, for the side way, with two addresses of those lengths, or none. */
    static void writeForSide(MemorySegment at, int type, long key, long incarnation, int first, int second) {
        write(at, type, key, incarnation, first + second, SIDE, first);
    }

    private static void write(MemorySegment at, int type, long key, long incarnation, int more, int way, int first) {
        at.set(INT, 0, MAGIC | type << 24);
        at.set(INT, 4, more);
        at.set(LONG, 8, key);
        at.set(LONG, 16, incarnation);
        at.set(INT, 24, way);
        at.set(INT, 28, first);
    }

    static boolean isSound(MemorySegment at, long length) {
        return length >= HEADER && length <= LARGEST && (at.get(INT, 0) & 0xFFFFFF) == MAGIC
                && at.get(INT, 4) == length - HEADER && (at.get(INT, 24) == MAIN || at.get(INT, 24) == SIDE)
                && at.get(INT, 28) >= 0 && at.get(INT, 28) <= length - HEADER;
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

    /** Whether it says it came over the side way: libfabric may hand such a message to a receive of the main way. */
    static boolean isForSide(MemorySegment at) {
        return at.get(INT, 24) == SIDE;
    }

    static byte[] address(MemorySegment at) {
        return at.asSlice(HEADER, at.get(INT, 28)).toArray(ValueLayout.JAVA_BYTE);
    }

    /** The one behind {@link #address}. */
    static byte[] secondAddress(MemorySegment at) {
        int first = at.get(INT, 28);
        return at.asSlice(HEADER + first, at.get(INT, 4) - first).toArray(ValueLayout.JAVA_BYTE);
    }
}
