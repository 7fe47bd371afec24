// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** 16-bit integers. */
final class Shorts {
    private Shorts() {
    }

    static void combine(AtomicOp op, boolean unsigned, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        long count = into.byteSize() >> 1;
        int block = (int) Math.min(count, Combiner.BLOCK >> 1);
        short[] a = new short[block];
        short[] b = new short[block];
        for (long done = 0; done < count; done += block) {
            int n = (int) Math.min(block, count - done);
            MemorySegment.copy(from, JAVA_SHORT_UNALIGNED, done << 1, a, 0, n);
            MemorySegment.copy(with, JAVA_SHORT_UNALIGNED, done << 1, b, 0, n);
            combine(op, unsigned, a, b, n);
            MemorySegment.copy(b, 0, into, JAVA_SHORT_UNALIGNED, done << 1, n);
        }
    }

    private static void combine(AtomicOp op, boolean unsigned, short[] a, short[] b, int n) {
        switch (op) {
            case MIN -> {
                if (unsigned) {
                    minUnsigned(a, b, n);
                } else {
                    min(a, b, n);
                }
            }
            case MAX -> {
                if (unsigned) {
                    maxUnsigned(a, b, n);
                } else {
                    max(a, b, n);
                }
            }
            case SUM -> sum(a, b, n);
            case PROD -> product(a, b, n);
            case LOR -> or(a, b, n);
            case LAND -> and(a, b, n);
            case LXOR -> xor(a, b, n);
            default -> throw new AssertionError(op);
        }
    }

    private static void min(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) Math.min(a[i], b[i]);
        }
    }

    private static void max(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) Math.max(a[i], b[i]);
        }
    }

    private static void minUnsigned(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) Math.min(a[i] & 0xffff, b[i] & 0xffff);
        }
    }

    private static void maxUnsigned(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) Math.max(a[i] & 0xffff, b[i] & 0xffff);
        }
    }

    private static void sum(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) (a[i] + b[i]);
        }
    }

    private static void product(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) (a[i] * b[i]);
        }
    }

    private static void or(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) ((a[i] | b[i]) != 0 ? 1 : 0);
        }
    }

    private static void and(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) (a[i] != 0 && b[i] != 0 ? 1 : 0);
        }
    }

    private static void xor(short[] a, short[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (short) ((a[i] != 0) != (b[i] != 0) ? 1 : 0);
        }
    }
}
