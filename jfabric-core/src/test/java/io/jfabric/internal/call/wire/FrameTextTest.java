// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What a peer says why, as it ends in exceptions and logs. */
class FrameTextTest {
    private static String read(String text) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment frame = arena.allocate(1000);
            int length = Frame.text(frame, text);
            Frame.write(frame, Frame.FAILURE, 0, 0, 0, length, 0, 0);
            return Frame.text(frame);
        }
    }

    @Test
    void ordinaryTextIsAsItWas() {
        assertThat(read("java.io.IOException: Übergröße 漢字 \uD83D\uDE00")).isEqualTo(
                "java.io.IOException: Übergröße 漢字 \uD83D\uDE00");
    }

    @Test
    void nothingInItWritesALineOrSteersATerminal() {
        assertThat(read("a\nERROR b\r\tc")).isEqualTo("a ERROR b  c");
        assertThat(read("\u001B[2J\u0007\u0000\u009B1m\u007F")).isEqualTo("?[2J???1m?");
        assertThat(read("a\u2028b\u2029c\u202Ed\u2066e\u0085f")).isEqualTo("a?b?c?d?e?f");
    }
}
