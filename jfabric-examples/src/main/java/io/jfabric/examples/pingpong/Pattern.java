// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The bytes that {@code -c} sends and expects: letters and digits in turn, where each message starts seven further on
 * than the one before. Both sides count their own messages, so a lost or repeated one shows as corrupt.
 */
final class Pattern {
    private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final int STEP = 7;
    private static final int CHUNK = LETTERS.length() * 64;
    /** A chunk of the pattern can be copied from any letter on. */
    private static final MemorySegment TABLE =
            MemorySegment.ofArray(LETTERS.repeat(65).getBytes(StandardCharsets.US_ASCII));

    // unsigned in C, where it may wrap
    private int filled;
    private int checked;

    /** Writes the next message to be sent. */
    void fill(MemorySegment buffer, long size) {
        int letter = start(filled++);
        for (long i = 0; i < size; i += CHUNK) {
            MemorySegment.copy(TABLE, letter, buffer, i, Math.min(CHUNK, size - i));
        }
    }

    /**
     * Compares a message with the next one expected.
     *
     * @return offset of the first wrong byte; -1 if all are right
     */
    long firstError(MemorySegment buffer, long size) {
        int letter = start(checked++);
        for (long i = 0; i < size; i += CHUNK) {
            long length = Math.min(CHUNK, size - i);
            long error = MemorySegment.mismatch(TABLE, letter, letter + length, buffer, i, i + length);
            if (error >= 0) {
                return i + error;
            }
        }
        return -1;
    }

    /** How many messages were checked. */
    int checked() {
        return checked;
    }

    private static int start(int message) {
        return Integer.remainderUnsigned(message * STEP, LETTERS.length());
    }
}
