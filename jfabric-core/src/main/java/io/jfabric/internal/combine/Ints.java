// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** 32-bit integers. */
final class Ints {
    private Ints() {
    }

    static void combine(AtomicOp op, boolean unsigned, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        long count = into.byteSize() >> 2;
        int block = (int) Math.min(count, Combiner.BLOCK >> 2);
        int[] a = new int[block];
        int[] b = new int[block];
        for (long done = 0; done < count; done += block) {
            int n = (int) Math.min(block, count - done);
            MemorySegment.copy(from, JAVA_INT_UNALIGNED, done << 2, a, 0, n);
            MemorySegment.copy(with, JAVA_INT_UNALIGNED, done << 2, b, 0, n);
            combine(op, unsigned, a, b, n);
            MemorySegment.copy(b, 0, into, JAVA_INT_UNALIGNED, done << 2, n);
        }
    }

    private static void combine(AtomicOp op, boolean unsigned, int[] a, int[] b, int n) {
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

    private static void min(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.min(a[i], b[i]);
        }
    }

    private static void max(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.max(a[i], b[i]);
        }
    }

    private static void minUnsigned(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.min(a[i] ^ Integer.MIN_VALUE, b[i] ^ Integer.MIN_VALUE) ^ Integer.MIN_VALUE;
        }
    }

    private static void maxUnsigned(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.max(a[i] ^ Integer.MIN_VALUE, b[i] ^ Integer.MIN_VALUE) ^ Integer.MIN_VALUE;
        }
    }

    private static void sum(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] + b[i];
        }
    }

    private static void product(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] * b[i];
        }
    }

    private static void or(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (a[i] | b[i]) != 0 ? 1 : 0;
        }
    }

    private static void and(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] != 0 && b[i] != 0 ? 1 : 0;
        }
    }

    private static void xor(int[] a, int[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (a[i] != 0) != (b[i] != 0) ? 1 : 0;
        }
    }
}
