// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testing.Logged;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that came together. */
@Timeout(30)
class UnbundlingTest {
    private static final long TAG = Wire.requests(5);

    /** The node is closed before a service has them, which is nothing for the log. */
    @Test
    void closedMeanwhile() {
        Providers.Choice choice = Providers.offered(Providers.SHM).findFirst().orElseThrow();
        Keeper service = new Keeper();
        Hub.Ending ending;
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node node = Node.open(hints)) {
            Hub hub = Hub.join((NodeImpl) node, TAG, service);
            PooledBuffer buffer = hub.take();
            MemorySegment message = Arena.global().allocate(Frame.HEADER, 8);
            Frame.write(message, Frame.CALL, 1, 2, 3, 0, 0, 0);
            Frame.target(message, TAG);
            Frame.set(buffer.segment(), Frame.HEADER, Frame.HEADER);
            MemorySegment.copy(message, 0, buffer.segment(), Frame.HEADER + Long.BYTES, Frame.HEADER);
            ending = new Unbundling(hub, buffer, 2L * Frame.HEADER + Long.BYTES).begin();
            assertThat(ending).isNotSameAs(Hub.Ending.LATER);
        }
        assertThat(Logged.by(ending::finish)).doesNotContain("has failed");
        assertThat(service.kept).isEmpty();
    }
}
