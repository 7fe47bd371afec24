// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** As people write durations. */
class SecondsTest {
    @Test
    void theyAreShortAndExact() {
        assertThat(Seconds.text(Duration.ZERO)).isEqualTo("0 s");
        assertThat(Seconds.text(Duration.ofMillis(500))).isEqualTo("0.5 s");
        assertThat(Seconds.text(Duration.ofMillis(-500))).isEqualTo("-0.5 s");
        assertThat(Seconds.text(Duration.ofNanos(1))).isEqualTo("0.000000001 s");
        assertThat(Seconds.text(Duration.ofMinutes(10))).isEqualTo("600 s");
        assertThat(Seconds.text(Duration.ofSeconds(Long.MAX_VALUE, 5)))
                .isEqualTo("9223372036854775807.000000005 s");
    }
}
