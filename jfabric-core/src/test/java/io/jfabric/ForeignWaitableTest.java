// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only looks like an object of libfabric is an argument that cannot be. */
class ForeignWaitableTest {
    private record Foreign() implements Waitable {
        @Override
        public WaitObject waitObject() {
            return WaitObject.FD;
        }

        @Override
        public int fileDescriptor() {
            return 0;
        }

        @Override
        public List<PollDescriptor> pollDescriptors() {
            return List.of();
        }

        @Override
        @Deprecated
        public MutexCondition mutexCondition() {
            return new MutexCondition(0, 0);
        }

        @Override
        public WaitObject requestedWaitObject() {
            return WaitObject.FD;
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void isNotTried(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assertThatThrownBy(() -> pair.fabric.tryWait(new Foreign())).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Foreign");
        }
    }
}
