// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an event queue keeps of what events are about. */
@Timeout(60)
class EventSourcesTest {
    /** Or programs that go on after failed writes would fill the memory. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void areForgotten(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                EventQueue queue = fabric.openEventQueue()) {
            EventSources sources = ((EventQueueImpl) queue).sources;
            queue.write(7, fabric, 1, 1);
            assertThat(sources.asked).hasSize(1);
            assertThat(queue.poll()).isPresent();
            assertThat(sources.asked).as("of an event that was read").isEmpty();
            EventQueue closed = fabric.openEventQueue();
            closed.close();
            assertThatThrownBy(() -> queue.write(7, closed, 1, 1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThat(sources.asked).as("of an event that could not be written").isEmpty();
        }
    }
}
