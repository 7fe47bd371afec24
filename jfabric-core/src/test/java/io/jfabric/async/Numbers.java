// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;

/** Arithmetic to compare with: slow and plain, on whole numbers as BigInteger and on others as pairs of doubles. */
final class Numbers {
    private Numbers() {
    }

    static boolean isInteger(Datatype type) {
        return type.name().contains("INT");
    }

    static boolean isComplex(Datatype type) {
        return type.name().contains("COMPLEX");
    }

    /** Operands: integers of all widths; else small numbers whose sums and products are exact. */
    static void fill(MemorySegment buffer, Datatype type, long seed) {
        Random random = new Random(seed);
        if (isInteger(type)) {
            byte[] bytes = new byte[(int) buffer.byteSize()];
            random.nextBytes(bytes);
            // some zeros, for the logical operations
            for (int at = 0; at < bytes.length; at += (int) type.byteSize()) {
                if (random.nextInt(3) == 0) {
                    Arrays.fill(bytes, at, at + (int) type.byteSize(), (byte) 0);
                }
            }
            MemorySegment.copy(bytes, 0, buffer, JAVA_BYTE, 0, bytes.length);
            return;
        }
        long parts = buffer.byteSize() / partSize(type);
        for (long i = 0; i < parts; i++) {
            put(buffer, type, i, random.nextInt(-2, 3));
        }
    }

    private static long partSize(Datatype type) {
        return isComplex(type) ? type.byteSize() / 2 : type.byteSize();
    }

    private static void put(MemorySegment buffer, Datatype type, long i, double value) {
        switch (type) {
            case FLOAT, FLOAT_COMPLEX -> buffer.set(JAVA_FLOAT_UNALIGNED, i * 4, (float) value);
            case DOUBLE, DOUBLE_COMPLEX -> buffer.set(JAVA_DOUBLE_UNALIGNED, i * 8, value);
            case FLOAT16 -> buffer.set(JAVA_SHORT_UNALIGNED, i * 2, Float.floatToFloat16((float) value));
            case BFLOAT16 -> buffer.set(JAVA_SHORT_UNALIGNED, i * 2,
                    (short) (Float.floatToRawIntBits((float) value) >> 16));
            default -> throw new AssertionError(type);
        }
    }

    private static double get(MemorySegment buffer, Datatype type, long i) {
        return switch (type) {
            case FLOAT, FLOAT_COMPLEX -> buffer.get(JAVA_FLOAT_UNALIGNED, i * 4);
            case DOUBLE, DOUBLE_COMPLEX -> buffer.get(JAVA_DOUBLE_UNALIGNED, i * 8);
            case FLOAT16 -> Float.float16ToFloat(buffer.get(JAVA_SHORT_UNALIGNED, i * 2));
            case BFLOAT16 -> Float.intBitsToFloat(buffer.get(JAVA_SHORT_UNALIGNED, i * 2) << 16);
            default -> throw new AssertionError(type);
        };
    }

    /** Element i of all buffers, combined. */
    static String expected(MemorySegment[] buffers, Datatype type, AtomicOp op, long i) {
        if (isInteger(type)) {
            return Arrays.stream(buffers).map(b -> integer(b, type, i)).reduce((a, b) -> wrap(of(op, a, b), type))
                    .orElseThrow().toString();
        }
        double[] total = null;
        for (MemorySegment buffer : buffers) {
            double[] value = pair(buffer, type, i);
            total = total == null ? value : combine(op, total, value);
        }
        return text(total);
    }

    /** Element i, to be compared with the above. */
    static String actual(MemorySegment buffer, Datatype type, long i) {
        return isInteger(type) ? integer(buffer, type, i).toString() : text(pair(buffer, type, i));
    }

    private static BigInteger integer(MemorySegment buffer, Datatype type, long i) {
        int size = (int) type.byteSize();
        byte[] bigEndian = new byte[size];
        for (int j = 0; j < size; j++) {
            bigEndian[size - 1 - j] = buffer.get(JAVA_BYTE, i * size + j);
        }
        return wrap(new BigInteger(bigEndian), type);
    }

    private static BigInteger wrap(BigInteger value, Datatype type) {
        int bits = (int) type.byteSize() * 8;
        BigInteger low = value.mod(BigInteger.TWO.pow(bits));
        boolean negative = !type.name().startsWith("U") && low.testBit(bits - 1);
        return negative ? low.subtract(BigInteger.TWO.pow(bits)) : low;
    }

    private static BigInteger of(AtomicOp op, BigInteger a, BigInteger b) {
        boolean p = a.signum() != 0;
        boolean q = b.signum() != 0;
        return switch (op) {
            case MIN -> a.min(b);
            case MAX -> a.max(b);
            case SUM -> a.add(b);
            case PROD -> a.multiply(b);
            case LOR -> truth(p || q);
            case LAND -> truth(p && q);
            case LXOR -> truth(p ^ q);
            case BOR -> a.or(b);
            case BAND -> a.and(b);
            case BXOR -> a.xor(b);
            default -> throw new AssertionError(op);
        };
    }

    private static BigInteger truth(boolean value) {
        return value ? BigInteger.ONE : BigInteger.ZERO;
    }

    /** Adding 0 makes a positive zero of a negative one. */
    private static String text(double[] pair) {
        return pair[0] + 0.0 + " " + (pair[1] + 0.0);
    }

    private static double[] pair(MemorySegment buffer, Datatype type, long i) {
        return isComplex(type) ? new double[] {get(buffer, type, 2 * i), get(buffer, type, 2 * i + 1)}
                : new double[] {get(buffer, type, i), 0};
    }

    private static double[] combine(AtomicOp op, double[] a, double[] b) {
        boolean p = a[0] != 0 || a[1] != 0;
        boolean q = b[0] != 0 || b[1] != 0;
        return switch (op) {
            case MIN -> new double[] {Math.min(a[0], b[0]), 0};
            case MAX -> new double[] {Math.max(a[0], b[0]), 0};
            case SUM -> new double[] {a[0] + b[0], a[1] + b[1]};
            case PROD -> new double[] {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
            case LOR -> new double[] {p || q ? 1 : 0, 0};
            case LAND -> new double[] {p && q ? 1 : 0, 0};
            case LXOR -> new double[] {p ^ q ? 1 : 0, 0};
            default -> throw new AssertionError(op);
        };
    }
}
