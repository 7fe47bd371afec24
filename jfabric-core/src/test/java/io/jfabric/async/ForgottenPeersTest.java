// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What stays behind of peers that were closed, while their node goes on: on sockets their connections. */
@Timeout(60)
class ForgottenPeersTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void leaveNoDescriptors(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(ForgottenPeers.class, choice.provider());
        assertThat(result.exitCode()).as(result.output()).isZero();
        int grown = Integer.parseInt(result.output().lines().filter(line -> line.startsWith("GROWN ")).findFirst()
                .orElseThrow().substring("GROWN ".length()));
        if (choice.equals(Providers.SOCKETS)) {
            assertThat(grown).isGreaterThanOrEqualTo(ForgottenPeers.CYCLES);
        } else {
            assertThat(grown).isLessThan(ForgottenPeers.CYCLES / 2);
        }
    }
}
