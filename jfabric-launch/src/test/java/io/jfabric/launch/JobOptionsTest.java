// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What options accept, and what they tell. */
class JobOptionsTest {
    private static final JobOptions DEFAULT = JobOptions.DEFAULT;

    @Test
    void rangesAreChecked() {
        for (Duration bad : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(366))) {
            assertThatIllegalArgumentException().isThrownBy(() -> DEFAULT.withDeadline(bad))
                    .withMessageContaining("deadline");
        }
        assertThat(DEFAULT.withDeadline(Duration.ofNanos(1)).deadline()).isEqualTo(Duration.ofNanos(1));
        for (Duration bad : List.of(Duration.ofMillis(999), Duration.ofSeconds(3601))) {
            assertThatIllegalArgumentException().isThrownBy(() -> DEFAULT.withLiveness(bad))
                    .withMessageContaining("liveness");
        }
        assertThat(DEFAULT.withLiveness(Duration.ofHours(1)).liveness()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void nullIsNamed() {
        assertThatNullPointerException().isThrownBy(() -> DEFAULT.withDeadline(null)).withMessage("deadline");
        assertThatNullPointerException().isThrownBy(() -> DEFAULT.withLiveness(null)).withMessage("liveness");
        assertThatNullPointerException().isThrownBy(() -> DEFAULT.withWhenLost(null)).withMessage("whenLost");
        assertThatNullPointerException().isThrownBy(() -> DEFAULT.withEnvironment(null)).withMessage("environment");
    }

    /** Options are logged; a launcher's variables have secrets among them. */
    @Test
    void theTextHasNoVariables() {
        assertThat(DEFAULT.withEnvironment(Map.of("JFABRIC_SECRET", "hush"))).hasToString(DEFAULT.toString())
                .asString().contains("deadline=PT1M").doesNotContain("hush");
    }
}
