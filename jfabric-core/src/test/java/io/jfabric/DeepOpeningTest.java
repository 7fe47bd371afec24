// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An endpoint that C has opened, and for whose object there is no stack, is closed again. */
@Timeout(60)
class DeepOpeningTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void itLeavesNothing(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(DeepOpening.class, choice.provider());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("closed true, some failed: true");
    }
}
