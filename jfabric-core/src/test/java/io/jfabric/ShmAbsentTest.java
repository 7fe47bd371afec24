// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of shm endpoints that are not there yet, and come later or never. */
@Timeout(90)
@Tag("long")
class ShmAbsentTest {
    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ownPlaces", "speaksFirst", "anotherInserted", "inLists"})
    void survives(String what) {
        ChildJvm.Result result = ChildJvm.of(ShmAbsent.class, what).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
