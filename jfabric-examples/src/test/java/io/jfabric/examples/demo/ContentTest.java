// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What {@code scripts/demo} takes for right. */
class ContentTest {
    private static final int BYTES = 64 << 10;
    private final byte[] bytes = new byte[BYTES];
    private final MemorySegment buffer = MemorySegment.ofArray(bytes);

    @Test
    void whatWasSentIsRight() {
        Content.fill(buffer, BYTES, false);
        assertThat(Content.trouble(buffer, BYTES, BYTES, false)).isEmpty();
        Content.fill(buffer, 8, true);
        assertThat(Content.trouble(buffer, 8, 8, true)).isEmpty();
    }

    @Test
    void nothingIsWrong() {
        assertThat(Content.trouble(buffer, 8, 8, false)).startsWith("a message of 8 bytes came with another byte at ");
    }

    @Test
    void oneByteIsFound() {
        Content.fill(buffer, BYTES, true);
        bytes[50_001]++;
        assertThat(Content.trouble(buffer, BYTES, BYTES, true))
                .isEqualTo("the answer of 65536 bytes came with another byte at 50001");
    }

    @Test
    void lengthCounts() {
        Content.fill(buffer, BYTES, false);
        assertThat(Content.trouble(buffer, BYTES - 1, BYTES, false))
                .isEqualTo("a message of 65536 bytes came as one of 65535");
    }

    @Test
    void messageOfTheOtherDirectionOrSizeIsWrong() {
        Content.fill(buffer, BYTES, false);
        assertThat(Content.trouble(buffer, BYTES, BYTES, true)).isNotEmpty();
        assertThat(Content.trouble(buffer, 4096, 4096, false)).isNotEmpty();
    }

    @Test
    void blocksThatChangedPlacesAreFound() {
        Content.fill(buffer, BYTES, false);
        byte[] block = new byte[4096];
        System.arraycopy(bytes, 0, block, 0, block.length);
        System.arraycopy(bytes, 4096, bytes, 0, block.length);
        System.arraycopy(block, 0, bytes, 4096, block.length);
        assertThat(Content.trouble(buffer, BYTES, BYTES, false)).isNotEmpty();
    }
}
