// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An address may be removed while others send to it: providers would follow a null. */
@Timeout(90)
@Tag("long")
class RemovedUnderSendersTest {
    static Stream<Providers.Choice> connectionless() {
        return Providers.connectionless();
    }

    @ParameterizedTest
    @MethodSource("connectionless")
    void survives(Providers.Choice choice) {
        assumeTrue(choice.isOffered(), "not offered");
        ChildJvm.Result result = SharedJvm.run(RemovedUnderSenders.class, choice.toString());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
