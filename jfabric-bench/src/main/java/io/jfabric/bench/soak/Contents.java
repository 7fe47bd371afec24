// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * What is sent: pieces of a text that all processes know, of all sizes and at all places. Who receives a piece computes
 * which it must be, so that one bit that is wrong, lost or from another message is seen.
 */
final class Contents {
    /** The longest piece. */
    static final int LONGEST = 1 << 20;
    private static final int DOUBLINGS = 20;
    private static final long TEXT = 2L * LONGEST;

    /** The piece that was chosen last. */
    long offset;
    long size;
    private final MemorySegment text;
    private final SplittableRandom random;

    Contents(MemorySegment text, long seed) {
        this.text = text;
        this.random = new SplittableRandom(seed);
    }

    static long textSize() {
        return TEXT;
    }

    /** Writes the text. */
    static void write(MemorySegment text) {
        byte[] bytes = new byte[(int) text.byteSize()];
        new SplittableRandom(4711).nextBytes(bytes);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, text, 0, bytes.length);
    }

    /** The next piece: 1 byte to {@link #LONGEST}, each power of two as often as the others, and its neighbours. */
    void next() {
        long power = 1L << random.nextInt(DOUBLINGS + 1);
        size = switch (random.nextInt(4)) {
            case 0 -> power;
            case 1 -> power + random.nextInt(3) - 1;
            default -> random.nextLong(power, 2 * power);
        };
        size = Math.clamp(size, 1, LONGEST);
        offset = random.nextLong(TEXT - size + 1);
    }

    MemorySegment piece() {
        return text.asSlice(offset, size);
    }

    /** Fails if that is not the piece. */
    void check(String what, MemorySegment got, long length) {
        if (length != size) {
            throw new IllegalStateException(what + ": " + length + " bytes instead of " + size);
        }
        long wrong = MemorySegment.mismatch(got, 0, length, text, offset, offset + size);
        if (wrong >= 0) {
            throw new IllegalStateException(what + ": of " + size + " bytes, byte " + wrong + " is wrong");
        }
    }
}
