// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** When a buffer for several messages is over, of which an earlier one may be read last. */
class ReceivePartsTest {
    private static final int SIZE = 64;
    private static final int LEFT = 16;

    private final MemorySegment buffer = Arena.ofAuto().allocate(SIZE);
    private final long start = buffer.address();
    private final ReceiveParts parts = new ReceiveParts(buffer, true, new ReceiveParts.Rules(false, LEFT));

    @Test
    void whenAllAreReadUpToTheFurthest() {
        assertThat(parts.completed(true, start + 40, 8)).as("two are missing").isFalse();
        assertThat(parts.completed(false, start + 16, 24)).as("the first is missing").isFalse();
        assertThat(parts.completed(false, start, 16)).as("all are read").isTrue();
        assertThat(parts.isSure()).isTrue();
    }

    /** What is flagged as the last need not be the furthest. */
    @Test
    void notWhileThereMustBeAnother() {
        assertThat(parts.completed(true, start, 16)).isFalse();
        assertThat(parts.completed(false, start + 16, LEFT + 15)).as("one byte more is left than may be").isFalse();
        assertThat(parts.completed(false, start + 31 + LEFT, 1)).as("no more is left than may be").isTrue();
    }

    @Test
    void notBeforeItIsGivenBack() {
        assertThat(parts.completed(false, start, SIZE)).isFalse();
        assertThat(parts.completed(true, start + SIZE, 0)).isTrue();
    }

    /** Two threads may read the last two. */
    @Test
    void onlyOnce() {
        assertThat(parts.completed(true, start, SIZE)).isTrue();
        assertThat(parts.completed(true, start + SIZE, 0)).isFalse();
        assertThat(parts.failed(true)).isFalse();
    }

    @Test
    void atOnceWhereNobodyKnowsWhereTheMessagesAre() {
        assertThat(parts.completed(false, 0, 8)).isFalse();
        assertThat(parts.isSure()).isFalse();
        assertThat(parts.failed(true)).isTrue();
        assertThat(parts.completed(true, start, 8)).isFalse();
    }
}
