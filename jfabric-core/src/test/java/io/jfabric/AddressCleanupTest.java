// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses can be removed, whatever has become of them and whatever libfabric is told to clean up. */
@Timeout(90)
class AddressCleanupTest {
    @ParameterizedTest
    @ValueSource(strings = {"1", "0"})
    void whatWasNeverReachedIsRemoved(String cleanup) {
        Providers.RXM.assumeOffered();
        ChildJvm.Result result = ChildJvm.of(AddressCleanup.class).environment("FI_AV_REMOVE_CLEANUP", cleanup).run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("closed");
    }
}
