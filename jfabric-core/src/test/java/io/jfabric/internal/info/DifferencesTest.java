// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Fabric;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import org.junit.jupiter.api.Test;

class DifferencesTest {
    /** A size that the other context has as well. */
    @Test
    void saysWhichAttributesDiffer() {
        try (FabricInfoList infos = Fabric.getInfo(Hints.rdm().provider("shm"));
                FabricInfo other = infos.first().duplicate()) {
            String same = infos.first().toString();
            assertThat(Differences.between(same, other.toString())).isEmpty();
            other.rx().size(512);
            String former = other.toString();
            other.tx().size(512);
            assertThat(Differences.between(former, other.toString())).isEqualTo("tx size: 512");
        }
    }
}
