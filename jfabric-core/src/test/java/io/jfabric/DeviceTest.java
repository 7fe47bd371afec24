// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fabric where there is no device: libfabric opens it, and crashes when it is used or closed. */
@Timeout(60)
class DeviceTest {
    @ParameterizedTest
    @ValueSource(strings = {"verbs", "efa"})
    void noFabricIsOpenedWithoutDevice(String provider) {
        try (Hints hints = Hints.create().provider(provider)) {
            assumeFalse(Fabric.findInfo(null, null, Set.of(), hints).isPresent(), "there is a device");
        }
        Providers.Choice other = new Providers.Choice("udp", EndpointType.DGRAM);
        try (FabricInfoList infos = other.find(hints -> { })) {
            infos.first().fabric().providerName(provider);
            assertThatThrownBy(() -> Fabric.open(infos.first())).isInstanceOf(FabricException.class);
        }
    }
}
