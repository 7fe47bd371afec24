// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LinesTest {
    private static final String FULL = "x".repeat(Lines.LONGEST);

    /** In as many pieces, and at the end. */
    private static String printed(String... pieces) {
        Lines lines = new Lines(3);
        StringBuilder all = new StringBuilder();
        for (String piece : pieces) {
            byte[] bytes = piece.getBytes(StandardCharsets.ISO_8859_1);
            all.append(new String(lines.add(bytes, bytes.length), StandardCharsets.ISO_8859_1));
        }
        return all + new String(lines.rest(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void onlyLineFeedsEndLines() {
        assertThat(printed("a\r\nb\rc\r\r\0\u00ff\n\nd")).isEqualTo("[3] a\r\n[3] b\rc\r\r\0\u00ff\n[3] \n[3] d\n");
        assertThat(printed("a", "b\nc", "\n")).isEqualTo("[3] ab\n[3] c\n");
        assertThat(printed()).isEmpty();
    }

    @Test
    void whatIsLongerIsCut() {
        String line = "[3] " + FULL + "\n";
        assertThat(printed(FULL, "\n", "y")).isEqualTo(line + "[3] y\n");
        assertThat(printed(FULL + "\ny")).isEqualTo(line + "[3] y\n");
        assertThat(printed(FULL + FULL, "y\n")).isEqualTo(line + line + "[3] y\n");
    }
}
