// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint of the shm provider is closed in the moment in which another thread makes it known, or enables it. */
@Timeout(60)
@Tag("long")
class ShmRaceTest {
    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "enable"})
    void survives(String scenario) {
        ChildJvm.Result result = SharedJvm.run(ShmRace.class, scenario);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
