// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Operations before enable, on endpoints without queues or vectors, to addresses that are not there or not any more,
 * and after closing, on every provider: most of these crash a C program.
 */
@Timeout(90)
class HostileUserTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void theJvmSurvives(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(HostileUser.class, choice.provider(), choice.type().name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED").contains("begins useClosed");
    }
}
