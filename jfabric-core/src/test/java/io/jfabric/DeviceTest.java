// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.library.Exports;
import io.jfabric.testkit.Providers;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fabric where there is no device: libfabric 2.1 opens it, and crashes when it is closed. */
@Timeout(60)
class DeviceTest {
    @ParameterizedTest
    @ValueSource(strings = {"verbs", "efa"})
    void isRefusedWithoutDevice(String provider) {
        try (Hints hints = Hints.create().provider(provider)) {
            assumeFalse(Fabric.findInfo(null, null, Set.of(), hints).isPresent(), "there is a device");
        }
        // as if it had been found while there was one
        try (FabricInfoList infos = Providers.UDP.find(hints -> { }); FabricInfo edited = infos.first().duplicate()) {
            edited.fabric().providerName(provider);
            try (FabricInfo found = FabricInfoImpl.owning(Exports.dupinfo(((FabricInfoImpl) edited).address()),
                    provider)) {
                assertThatThrownBy(() -> Fabric.open(found).close()).isInstanceOf(FabricException.class);
            }
        }
    }
}
