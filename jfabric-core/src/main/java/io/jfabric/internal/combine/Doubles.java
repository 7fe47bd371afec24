// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** Double precision. MIN and MAX give a NaN if either operand is one, whichever came first. */
final class Doubles {
    private Doubles() {
    }

    static void combine(AtomicOp op, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        long count = into.byteSize() >> 3;
        int block = (int) Math.min(count, Combiner.BLOCK >> 3);
        double[] a = new double[block];
        double[] b = new double[block];
        for (long done = 0; done < count; done += block) {
            int n = (int) Math.min(block, count - done);
            MemorySegment.copy(from, JAVA_DOUBLE_UNALIGNED, done << 3, a, 0, n);
            MemorySegment.copy(with, JAVA_DOUBLE_UNALIGNED, done << 3, b, 0, n);
            combine(op, a, b, n);
            MemorySegment.copy(b, 0, into, JAVA_DOUBLE_UNALIGNED, done << 3, n);
        }
    }

    private static void combine(AtomicOp op, double[] a, double[] b, int n) {
        switch (op) {
            case MIN -> min(a, b, n);
            case MAX -> max(a, b, n);
            case SUM -> sum(a, b, n);
            case PROD -> product(a, b, n);
            case LOR -> or(a, b, n);
            case LAND -> and(a, b, n);
            case LXOR -> xor(a, b, n);
            default -> throw new AssertionError(op);
        }
    }

    private static void min(double[] a, double[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.min(a[i], b[i]);
        }
    }

    private static void max(double[] a, double[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = Math.max(a[i], b[i]);
        }
    }

    private static void sum(double[] a, double[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] + b[i];
        }
    }

    private static void product(double[] a, double[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] * b[i];
        }
    }

    private static void or(double[] a, double[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] != 0 || b[i] != 0 ? 1 : 0;
        }
    }

    private static void and(double[] a, double[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] != 0 && b[i] != 0 ? 1 : 0;
        }
    }

    private static void xor(double[] a, double[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (a[i] != 0) != (b[i] != 0) ? 1 : 0;
        }
    }
}
