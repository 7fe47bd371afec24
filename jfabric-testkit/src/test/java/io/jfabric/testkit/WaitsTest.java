// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitsTest {
    @Test
    void looksUntilItHolds() {
        AtomicInteger looks = new AtomicInteger();
        Waits.until("five looks", () -> looks.incrementAndGet() == 5);
        assertThat(looks).hasValue(5);
        Waits.spin("five more", () -> looks.incrementAndGet() == 10);
        assertThat(looks).hasValue(10);
    }

    @Test
    void whatNeverHoldsFailsByName() {
        assertThatThrownBy(() -> Waits.spin(() -> "the moon is here", Duration.ofMillis(20), () -> false))
                .isInstanceOf(AssertionError.class).hasMessage("the moon is here: not after PT0.02S");
    }

    /** As JUnit does when a test has had its time. */
    @Test
    void anInterruptDoesNotKeepItFromLooking() {
        AtomicInteger looks = new AtomicInteger();
        Thread.currentThread().interrupt();
        Waits.until("three looks", () -> looks.incrementAndGet() == 3);
        assertThat(Thread.interrupted()).isTrue();
    }
}
