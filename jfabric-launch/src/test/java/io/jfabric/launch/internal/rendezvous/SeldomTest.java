// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The log is told the first time; what strangers do again at once does not fill it. */
class SeldomTest {
    @Test
    void onceAMinute() {
        Seldom seldom = new Seldom();
        assertThat(seldom.happened()).isEmpty();
        for (int i = 0; i < 1000; i++) {
            assertThat(seldom.happened()).isNull();
        }
    }
}
