// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizesTest {
    @Test
    void allAreThePowersOfTwoAndHalfAsMuchAgain() {
        assertThat(Sizes.all(100)).containsExactly(0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96);
        assertThat(Sizes.all(95).max()).hasValue(64);
        assertThat(Sizes.all(Sizes.LARGEST).max()).hasValue(6 << 20);
        assertThat(Sizes.all(0)).containsExactly(0);
    }

    @Test
    void othersMustFitToo() {
        assertThat(Sizes.defaults(Sizes.LARGEST)).containsExactly(64, 256, 1024, 4096, 65536, 1048576);
        assertThat(Sizes.defaults(1472)).containsExactly(64, 256, 1024);
        assertThat(Sizes.only(1472, 1472)).containsExactly(1472);
        assertThat(Sizes.only(1473, 1472)).isEmpty();
    }
}
