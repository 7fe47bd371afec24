// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** 64-bit integers. */
final class Longs {
    private Longs() {
    }

    static void combine(AtomicOp op, boolean unsigned, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        long count = into.byteSize() >> 3;
        int block = (int) Math.min(count, Combiner.BLOCK >> 3);
        long[] a = new long[block];
        long[] b = new long[block];
        for (long done = 0; done < count; done += block) {
            int n = (int) Math.min(block, count - done);
            MemorySegment.copy(from, JAVA_LONG_UNALIGNED, done << 3, a, 0, n);
            MemorySegment.copy(with, JAVA_LONG_UNALIGNED, done << 3, b, 0, n);
            combine(op, unsigned, a, b, n);
            MemorySegment.copy(b, 0, into, JAVA_LONG_UNALIGNED, done << 3, n);
        }
    }

    private static void combine(AtomicOp op, boolean unsigned, long[] a, long[] b, int n) {
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

    private static void min(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.min(a[i], b[i]);
        }
    }

    private static void max(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.max(a[i], b[i]);
        }
    }

    private static void minUnsigned(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.min(a[i] ^ Long.MIN_VALUE, b[i] ^ Long.MIN_VALUE) ^ Long.MIN_VALUE;
        }
    }

    private static void maxUnsigned(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.max(a[i] ^ Long.MIN_VALUE, b[i] ^ Long.MIN_VALUE) ^ Long.MIN_VALUE;
        }
    }

    private static void sum(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] + b[i];
        }
    }

    private static void product(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] * b[i];
        }
    }

    private static void or(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (a[i] | b[i]) != 0 ? 1 : 0;
        }
    }

    private static void and(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] != 0 && b[i] != 0 ? 1 : 0;
        }
    }

    private static void xor(long[] a, long[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (a[i] != 0) != (b[i] != 0) ? 1 : 0;
        }
    }
}
