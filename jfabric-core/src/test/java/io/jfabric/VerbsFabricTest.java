// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fabric of verbs where there is no device: libfabric 2.1 opens it, and crashes when it is closed. */
@Timeout(60)
class VerbsFabricTest {
    @Test
    void isRefusedWithoutDevice() {
        try (Hints hints = Hints.create().provider("verbs")) {
            assumeFalse(Fabric.findInfo(null, null, Set.of(), hints).isPresent(), "there is a device");
        }
        Providers.Choice other = new Providers.Choice("udp", EndpointType.DGRAM);
        try (FabricInfoList infos = other.find(hints -> { })) {
            infos.first().fabric().providerName("verbs");
            assertThatThrownBy(() -> Fabric.open(infos.first())).isInstanceOf(FabricException.class);
        }
    }
}
