// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No packaged libfabric has profiles: what can be tested is how that is said. */
class ProfileTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void whereThereIsNoneItIsSaidSo(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assertThatThrownBy(pair.domain::openProfile).isInstanceOfSatisfying(FabricException.class, e ->
                    assertThat(e.error()).isIn(FabricError.ENOSYS, FabricError.EINVAL))
                    .hasMessageContaining("fi_profile_open");
            assertThatThrownBy(() -> pair.domain.openProfile(pair.a.endpoint)).isInstanceOf(FabricException.class);
        }
    }
}
