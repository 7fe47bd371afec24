// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** False means that nothing is under way, not that nobody looked. */
class SharedReceiveCancelTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void saysWhatIsWrong(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints ->
                     hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT));
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             Arena arena = Arena.ofShared()) {
            SharedReceiveContext shared = domain.openSharedReceiveContext(infos.first());
            assertThat(shared.cancel(1)).isFalse();
            assertThat(shared.messages().receive(arena.allocate(8), Address.ANY, 1)).isTrue();
            assertThat(shared.cancel(2)).isFalse();
            assertThatThrownBy(() -> shared.cancel(1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("fi_cancel").hasMessageContaining("endpoint");
            shared.close();
            assertThatThrownBy(() -> shared.cancel(2)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }
}
