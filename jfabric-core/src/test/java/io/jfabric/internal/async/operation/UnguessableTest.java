// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Numbers that do not repeat, and do not tell of each other. */
class UnguessableTest {
    private static final int BITS = 20;

    @Test
    void eachComesOnce() {
        Unguessable numbers = new Unguessable(BITS);
        BitSet seen = new BitSet();
        for (int i = 0; i < 1 << BITS; i++) {
            long number = numbers.of(i);
            assertThat(number).isBetween(0L, (1L << BITS) - 1);
            seen.set((int) number);
        }
        assertThat(seen.cardinality()).isEqualTo(1 << BITS);
    }

    /** Of a counter the step would be the same each time. */
    @Test
    void noStepIsMoreFrequentThanByChance() {
        Unguessable numbers = new Unguessable(46);
        Map<Long, Integer> steps = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            steps.merge(numbers.of(i + 1L) - numbers.of(i), 1, Integer::sum);
        }
        assertThat(steps.values()).allMatch(times -> times <= 3);
    }

    @Test
    void anotherKeyGivesOtherNumbers() {
        Unguessable one = new Unguessable(46);
        Unguessable two = new Unguessable(46);
        int same = 0;
        for (int i = 0; i < 1000; i++) {
            same += one.of(i) == two.of(i) ? 1 : 0;
        }
        assertThat(same).isLessThan(2);
    }
}
