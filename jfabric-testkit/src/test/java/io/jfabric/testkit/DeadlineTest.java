// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final Duration USUAL = Duration.ofSeconds(30);

    @Test
    void isAsTheProjectSays() {
        assertThat(Deadline.of(null)).isEqualTo(USUAL);
        assertThat(Deadline.of("1")).isEqualTo(Duration.ofSeconds(1));
        assertThat(Deadline.of(" 31536000 ")).isEqualTo(Duration.ofDays(365));
    }

    @Test
    void isTheUsualOneIfThatIsNoNumberOfSeconds() {
        assertThat(Stream.of("", "0", "-1", "31536001", "99999999999", "99999999999999999999", "1.5", "abc")
                .map(Deadline::of)).containsOnly(USUAL);
    }
}
