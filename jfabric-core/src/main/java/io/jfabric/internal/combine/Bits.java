// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** The bitwise operations, which are the same for integers of any size. */
final class Bits {
    private Bits() {
    }

    static void combine(AtomicOp op, MemorySegment from, MemorySegment with, MemorySegment into) {
        long size = into.byteSize();
        int block = (int) Math.min(size, Combiner.BLOCK);
        byte[] a = new byte[block];
        byte[] b = new byte[block];
        for (long done = 0; done < size; done += block) {
            int n = (int) Math.min(block, size - done);
            MemorySegment.copy(from, JAVA_BYTE, done, a, 0, n);
            MemorySegment.copy(with, JAVA_BYTE, done, b, 0, n);
            switch (op) {
                case BOR -> or(a, b, n);
                case BAND -> and(a, b, n);
                case BXOR -> xor(a, b, n);
                default -> throw new AssertionError(op);
            }
            MemorySegment.copy(b, 0, into, JAVA_BYTE, done, n);
        }
    }

    private static void or(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) (a[i] | b[i]);
        }
    }

    private static void and(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) (a[i] & b[i]);
        }
    }

    private static void xor(byte[] a, byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = (byte) (a[i] ^ b[i]);
        }
    }
}
