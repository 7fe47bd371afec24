// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who waits for several completions has a queue that can, and says how many. */
class ThresholdTest {
    private static final CompletionHandler NONE = completion -> { };

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void isForQueuesThatHaveOne(Providers.Choice choice) {
        CompletionQueueAttributes waits = CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(WaitObject.UNSPEC);
        try (Pair pair = Pair.open(choice)) {
            CompletionQueue plain = pair.domain.openCompletionQueue(waits);
            assertThatThrownBy(() -> plain.await(NONE, 1, Duration.ZERO, 2)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("withWaitThreshold");
            CompletionQueue queue = pair.domain.openCompletionQueue(waits.withWaitThreshold(true));
            for (long threshold : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> queue.await(NONE, 1, Duration.ZERO, threshold))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("threshold");
            }
            assertThat(queue.await(NONE, 1, Duration.ZERO, 2)).isZero();
            assertThat(queue.await(NONE, 1, Duration.ZERO)).isZero();
        }
    }
}
