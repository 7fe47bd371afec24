// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** Complex numbers of two floats. */
final class SmallComplexes {
    private SmallComplexes() {
    }

    static void combine(AtomicOp op, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        long count = into.byteSize() >> 2;
        int block = (int) Math.min(count, Combiner.BLOCK >> 2);
        float[] a = new float[block];
        float[] b = new float[block];
        for (long done = 0; done < count; done += block) {
            int n = (int) Math.min(block, count - done);
            MemorySegment.copy(from, JAVA_FLOAT_UNALIGNED, done << 2, a, 0, n);
            MemorySegment.copy(with, JAVA_FLOAT_UNALIGNED, done << 2, b, 0, n);
            combine(op, a, b, n);
            MemorySegment.copy(b, 0, into, JAVA_FLOAT_UNALIGNED, done << 2, n);
        }
    }

    private static void combine(AtomicOp op, float[] a, float[] b, int n) {
        switch (op) {
            case SUM -> sum(a, b, n);
            case PROD -> product(a, b, n);
            case LOR, LAND, LXOR -> logical(op, a, b, n);
            default -> throw new AssertionError(op);
        }
    }

    private static void sum(float[] a, float[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] + b[i];
        }
    }

    private static void product(float[] a, float[] b, int n) {
        for (int i = 0; i < n; i += 2) {
            float real = a[i] * b[i] - a[i + 1] * b[i + 1];
            b[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
            b[i] = real;
        }
    }

    private static void logical(AtomicOp op, float[] a, float[] b, int n) {
        for (int i = 0; i < n; i += 2) {
            boolean p = a[i] != 0 || a[i + 1] != 0;
            boolean q = b[i] != 0 || b[i + 1] != 0;
            b[i] = (op == AtomicOp.LOR ? p || q : op == AtomicOp.LAND ? p && q : p != q) ? 1 : 0;
            b[i + 1] = 0;
        }
    }
}
