// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.demo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What is in a message that is checked: bytes that no other place, length or direction has. */
final class Content {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private Content() {
    }

    private static byte at(long seed, long index) {
        long mixed = (seed + index + 1) * STEP;
        return (byte) ((mixed ^ mixed >>> 29) * STEP >>> 56);
    }

    private static long seed(long bytes, boolean answer) {
        return (bytes << 1 | (answer ? 1 : 0)) << 32;
    }

    /** A message of so many bytes, or the answer to one. */
    static void fill(MemorySegment buffer, long bytes, boolean answer) {
        for (long i = 0; i < bytes; i++) {
            buffer.set(ValueLayout.JAVA_BYTE, i, at(seed(bytes, answer), i));
        }
    }

    /** What is wrong with a message of which so many bytes have come; empty if nothing is. */
    static String trouble(MemorySegment buffer, long received, long bytes, boolean answer) {
        String message = (answer ? "the answer of " : "a message of ") + bytes + " bytes ";
        if (received != bytes) {
            return message + "came as one of " + received;
        }
        for (long i = 0; i < bytes; i++) {
            if (buffer.get(ValueLayout.JAVA_BYTE, i) != at(seed(bytes, answer), i)) {
                return message + "came with another byte at " + i;
            }
        }
        return "";
    }
}
