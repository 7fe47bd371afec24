// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many receives of calls there should be. */
class DemandTest {
    private static final int MOST = 100;

    private final Demand demand = new Demand(Demand.FEW, MOST);
    private int poll;

    private void oneByOne(int messages) {
        for (int i = 0; i < messages; i++) {
            demand.came(++poll);
        }
    }

    private void atOnce(int messages) {
        poll++;
        for (int i = 0; i < messages; i++) {
            demand.came(poll);
        }
    }

    @Test
    void doublesWhenAPollFindsHalfAsMany() {
        oneByOne(Demand.LONG);
        atOnce(Demand.FEW / 2 - 1);
        assertThat(demand.wanted()).isEqualTo(Demand.FEW);
        atOnce(Demand.FEW / 2);
        assertThat(demand.wanted()).isEqualTo(2 * Demand.FEW);
        atOnce(MOST / 2);
        assertThat(demand.wanted()).isEqualTo(MOST);
        atOnce(10 * MOST);
        assertThat(demand.wanted()).isEqualTo(MOST);
    }

    @Test
    void halvesWhenFewAreFoundForLong() {
        atOnce(MOST);
        oneByOne(Demand.LONG - 1);
        // of which some were found at once
        assertThat(demand.wanted()).isEqualTo(MOST);
        oneByOne(Demand.LONG + 1);
        assertThat(demand.wanted()).isEqualTo(MOST / 2);
        oneByOne(10 * Demand.LONG);
        assertThat(demand.wanted()).isEqualTo(Demand.FEW);
    }

    @Test
    void staysWhereManyAreFoundNowAndThen() {
        atOnce(MOST);
        for (int i = 0; i < 5; i++) {
            oneByOne(Demand.LONG - MOST);
            atOnce(MOST / 4);
        }
        assertThat(demand.wanted()).isEqualTo(MOST);
    }

    @Test
    void countsAnewOnceItHasGrown() {
        oneByOne(Demand.LONG - Demand.FEW);
        atOnce(Demand.FEW / 2);
        assertThat(demand.wanted()).isEqualTo(2 * Demand.FEW);
        oneByOne(Demand.LONG - 1);
        assertThat(demand.wanted()).isEqualTo(2 * Demand.FEW);
        oneByOne(1);
        assertThat(demand.wanted()).isEqualTo(Demand.FEW);
    }

    @Test
    void staysWhereAnEighthIsFound() {
        atOnce(Demand.FEW / 2);
        atOnce(2 * Demand.FEW / 8);
        oneByOne(Demand.LONG);
        assertThat(demand.wanted()).isEqualTo(2 * Demand.FEW);
        oneByOne(Demand.LONG);
        assertThat(demand.wanted()).isEqualTo(Demand.FEW);
    }

    @Test
    void neverLessThanAll() {
        demand.all();
        assertThat(demand.wanted()).isEqualTo(MOST);
        oneByOne(10 * Demand.LONG);
        assertThat(demand.wanted()).isEqualTo(MOST);
    }
}
