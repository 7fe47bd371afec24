// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.Profile;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.File;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No packaged libfabric has profiles: how that is said, and with one that was built with them, that they close. */
class ProfileTest {
    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }

    @Test
    void whatHasOneIsClosed() {
        assumeTrue(Providers.TCP_RDM.isOffered());
        int before = 0;
        for (int i = 0; i < 10; i++) {
            try (Pair pair = Pair.open(Providers.TCP_RDM).connect()) {
                Profile profile = pair.domain.openProfile(pair.a.endpoint);
                if (i % 2 == 0) {
                    profile.close();
                    assertThat(profile.isOpen()).isFalse();
                }
            } catch (FabricException none) {
                assumeTrue(none.error() != FabricError.ENOSYS, "built without profiles");
                throw none;
            }
            if (i == 0) {
                before = descriptors();
            }
        }
        assertThat(descriptors()).isLessThan(before + 5);
    }

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
