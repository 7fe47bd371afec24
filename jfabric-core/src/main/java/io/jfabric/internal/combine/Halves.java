// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.jfabric.AtomicOp;
import java.lang.foreign.MemorySegment;

/** 16-bit floating point, that of IEEE and the upper half of a float: combined as floats, each result rounded. */
final class Halves {
    private Halves() {
    }

    static void combine(AtomicOp op, boolean brain, MemorySegment from, MemorySegment with,
            MemorySegment into) {
        for (long at = 0; at < into.byteSize(); at += Short.BYTES) {
            float result = combine(op, read(from, at, brain), read(with, at, brain));
            into.set(JAVA_SHORT_UNALIGNED, at, brain ? brain(result) : Float.floatToFloat16(result));
        }
    }

    private static float read(MemorySegment segment, long at, boolean brain) {
        short bits = segment.get(JAVA_SHORT_UNALIGNED, at);
        return brain ? Float.intBitsToFloat(bits << Short.SIZE) : Float.float16ToFloat(bits);
    }

    /** Rounds to the nearest, ties to even. */
    private static short brain(float value) {
        int bits = Float.floatToIntBits(value);
        if (Float.isNaN(value)) {
            return (short) (bits >> Short.SIZE);
        }
        return (short) (bits + 0x7fff + (bits >> Short.SIZE & 1) >> Short.SIZE);
    }

    private static float combine(AtomicOp op, float a, float b) {
        return switch (op) {
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case SUM -> a + b;
            case PROD -> a * b;
            case LOR -> a != 0 || b != 0 ? 1 : 0;
            case LAND -> a != 0 && b != 0 ? 1 : 0;
            case LXOR -> (a != 0) != (b != 0) ? 1 : 0;
            default -> throw new AssertionError(op);
        };
    }
}
