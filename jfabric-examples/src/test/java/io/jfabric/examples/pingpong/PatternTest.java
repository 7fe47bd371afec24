// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PatternTest {
    private final byte[] bytes = new byte[100_000];
    private final MemorySegment buffer = MemorySegment.ofArray(bytes);
    private final Pattern pattern = new Pattern();

    @Test
    void eachMessageStartsSevenLettersFurtherOn() {
        assertThat(next(64)).isEqualTo("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01");
        assertThat(next(8)).isEqualTo("789abcde");
        pattern.fill(buffer, 0);
        assertThat(next(8)).isEqualTo("lmnopqrs");
        for (int i = 4; i < 62; i++) {
            pattern.fill(buffer, 1);
        }
        assertThat(next(5)).isEqualTo("01234");
    }

    @Test
    void longMessagesGoOnAcrossChunks() {
        pattern.fill(buffer, 1);
        String message = next(bytes.length);
        for (int i = 62; i < message.length(); i++) {
            assertThat(message.charAt(i)).isEqualTo(message.charAt(i - 62));
        }
    }

    @Test
    void findsTheFirstWrongByte() {
        pattern.fill(buffer, bytes.length);
        assertThat(pattern.firstError(buffer, bytes.length)).isEqualTo(-1);
        pattern.fill(buffer, bytes.length);
        bytes[70_001]++;
        bytes[70_005]++;
        assertThat(pattern.firstError(buffer, bytes.length)).isEqualTo(70_001);
        assertThat(pattern.firstError(buffer, 10)).as("the message before comes again").isZero();
    }

    private String next(int size) {
        pattern.fill(buffer, size);
        return new String(bytes, 0, size, StandardCharsets.US_ASCII);
    }
}
