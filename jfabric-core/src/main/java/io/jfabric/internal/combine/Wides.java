// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** 128-bit integers, with the lower half first, as in the processors that jfabric runs on. */
final class Wides {
    private static final int SIZE = 16;

    private Wides() {
    }

    static void combine(AtomicOp op, boolean unsigned, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        for (long at = 0; at < into.byteSize(); at += SIZE) {
            long low = from.get(JAVA_LONG_UNALIGNED, at);
            long high = from.get(JAVA_LONG_UNALIGNED, at + Long.BYTES);
            long otherLow = with.get(JAVA_LONG_UNALIGNED, at);
            long otherHigh = with.get(JAVA_LONG_UNALIGNED, at + Long.BYTES);
            boolean p = (low | high) != 0;
            boolean q = (otherLow | otherHigh) != 0;
            long newLow = 0;
            long newHigh = 0;
            switch (op) {
                case MIN, MAX -> {
                    boolean less = less(low, high, otherLow, otherHigh, unsigned);
                    boolean first = op == AtomicOp.MIN == less;
                    newLow = first ? low : otherLow;
                    newHigh = first ? high : otherHigh;
                }
                case SUM -> {
                    newLow = low + otherLow;
                    newHigh = high + otherHigh + (Long.compareUnsigned(newLow, low) < 0 ? 1 : 0);
                }
                case PROD -> {
                    newLow = low * otherLow;
                    newHigh = Math.unsignedMultiplyHigh(low, otherLow) + low * otherHigh + high * otherLow;
                }
                case LOR -> newLow = p || q ? 1 : 0;
                case LAND -> newLow = p && q ? 1 : 0;
                case LXOR -> newLow = p != q ? 1 : 0;
                default -> throw new AssertionError(op);
            }
            into.set(JAVA_LONG_UNALIGNED, at, newLow);
            into.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, newHigh);
        }
    }

    private static boolean less(long low, long high, long otherLow, long otherHigh, boolean unsigned) {
        int order = unsigned ? Long.compareUnsigned(high, otherHigh) : Long.compare(high, otherHigh);
        return order < 0 || order == 0 && Long.compareUnsigned(low, otherLow) < 0;
    }
}
