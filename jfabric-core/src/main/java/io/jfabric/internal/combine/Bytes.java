// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** 8-bit integers. */
final class Bytes {
    private Bytes() {
    }

    static void combine(AtomicOp op, boolean unsigned, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        long count = into.byteSize() >> 0;
        int block = (int) Math.min(count, Combiner.BLOCK >> 0);
        byte[] a = new byte[block];
        byte[] b = new byte[block];
        for (long done = 0; done < count; done += block) {
            int n = (int) Math.min(block, count - done);
            MemorySegment.copy(from, JAVA_BYTE, done << 0, a, 0, n);
            MemorySegment.copy(with, JAVA_BYTE, done << 0, b, 0, n);
            combine(op, unsigned, a, b, n);
            MemorySegment.copy(b, 0, into, JAVA_BYTE, done << 0, n);
        }
    }

    private static void combine(AtomicOp op, boolean unsigned, byte[] a, byte[] b, int n) {
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

    private static void min(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) Math.min(a[i], b[i]);
        }
    }

    private static void max(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) Math.max(a[i], b[i]);
        }
    }

    private static void minUnsigned(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) Math.min(a[i] & 0xff, b[i] & 0xff);
        }
    }

    private static void maxUnsigned(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) Math.max(a[i] & 0xff, b[i] & 0xff);
        }
    }

    private static void sum(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) (a[i] + b[i]);
        }
    }

    private static void product(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) (a[i] * b[i]);
        }
    }

    private static void or(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) ((a[i] | b[i]) != 0 ? 1 : 0);
        }
    }

    private static void and(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) (a[i] != 0 && b[i] != 0 ? 1 : 0);
        }
    }

    private static void xor(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) ((a[i] != 0) != (b[i] != 0) ? 1 : 0);
        }
    }
}
