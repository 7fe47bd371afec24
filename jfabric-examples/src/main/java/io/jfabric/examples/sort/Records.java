// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Records as TeraSort has them: 100 bytes, the first 10 of them the key, in the order of unsigned bytes. */
public final class Records {
    /** Of a record. */
    public static final int BYTES = 100;
    private static final ValueLayout.OfLong BIG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort TAIL = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt HALF = ValueLayout.JAVA_INT_UNALIGNED;
    private static final int WORDS = BYTES / Long.BYTES;
    private static final int TAIL_AT = 8;
    private static final int NUMBER_AT = 16;

    private Records() {
    }

    /** The first 8 bytes of a record's key. The records are always the same: they need not be kept. */
    public static long prefix(long number) {
        return mix(number + 1);
    }

    /** Writes a record. */
    public static void generate(long number, MemorySegment to, long at) {
        long bits = mix(number + 1);
        to.set(BIG, at, bits);
        for (int word = 1; word < WORDS; word++) {
            bits = bits * 0x5851_f42d_4c95_7f2dL + 1;
            to.set(WORD, at + (long) word * Long.BYTES, bits);
        }
        to.set(HALF, at + (long) WORDS * Long.BYTES, (int) (bits >>> 32));
        to.set(WORD, at + NUMBER_AT, number);
    }

    /** The first 8 bytes of the key of a record in memory, unsigned. */
    public static long prefix(MemorySegment in, long at) {
        return in.get(BIG, at);
    }

    /** Compares keys. */
    public static int compare(MemorySegment a, long atA, MemorySegment b, long atB) {
        int first = Long.compareUnsigned(a.get(BIG, atA), b.get(BIG, atB));
        return first != 0 ? first
                : Integer.compare(Short.toUnsignedInt(a.get(TAIL, atA + TAIL_AT)),
                        Short.toUnsignedInt(b.get(TAIL, atB + TAIL_AT)));
    }

    /** A number for a record; their sum tells whether all are there, whatever their order. */
    public static long checksum(MemorySegment in, long at) {
        long sum = in.get(HALF, at + (long) WORDS * Long.BYTES);
        for (int word = 0; word < WORDS; word++) {
            sum = (sum ^ in.get(WORD, at + (long) word * Long.BYTES)) * 0x9e37_79b9_7f4a_7c15L;
            sum ^= sum >>> 29;
        }
        return sum;
    }

    private static long mix(long value) {
        long z = value * 0x9e37_79b9_7f4a_7c15L;
        z = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ z >>> 27) * 0x94d0_49bb_1331_11ebL;
        return z ^ z >>> 31;
    }
}
