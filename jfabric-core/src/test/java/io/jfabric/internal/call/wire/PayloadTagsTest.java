// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who was told the tag of one payload does not know that of the next; and no two have the same. */
class PayloadTagsTest {
    private static final int MANY = 100_000;
    private static final long NUMBER = (1L << 48) - 1;

    @Test
    void theNextIsNotOneMore() {
        int steps = 0;
        long before = Wire.newNumber();
        for (int i = 0; i < MANY; i++) {
            long next = Wire.newNumber();
            steps += Math.abs(next - before) < 1000 ? 1 : 0;
            before = next;
        }
        assertThat(steps).isLessThan(3);
    }

    @Test
    void nextToACallTheNextIsNotOneMoreEither() {
        int steps = 0;
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            long tag = Wire.eager(7, 9, i);
            assertThat(Wire.isEager(tag, 7, 9)).isTrue();
            all.add(tag);
            steps += Wire.eager(7, 9, i + 1) - tag == 1 ? 1 : 0;
        }
        assertThat(steps).isLessThan(3);
        assertThat(all).hasSize(MANY);
    }

    @Test
    void thoseOfSeveralMessagesAreTheirOwn() {
        Set<Long> all = new HashSet<>();
        int count = 0;
        for (int i = 0; i < 2000; i++) {
            long first = PayloadTags.next(100);
            for (int message = 0; message < 100; message++) {
                all.add(first + message);
                assertThat(first + message).isBetween(0L, NUMBER);
            }
            all.add(PayloadTags.next());
            count += 101;
        }
        assertThat(all).hasSize(count);
    }

    @Test
    void evenOfVeryMany() {
        long messages = 1L << 21;
        assertThat(PayloadTags.next(messages) + messages).isBetween(0L, NUMBER);
    }
}
