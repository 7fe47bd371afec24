// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomics that fetch, or have several targets, crash udp;ofi_rxd unless they go alone, after something short. */
@Timeout(120)
class RxdFetchTest {
    @ParameterizedTest
    @ValueSource(strings = {"two", "requests", "long", "targets", "injected", "futures", "mixed", "calls",
        "longFutures"})
    void theTargetLives(String how) {
        assumeTrue(Providers.RXD.isOffered(), "udp;ofi_rxd is not offered");
        ChildJvm.Result result = SharedJvm.run(RxdFetch.class, how);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
