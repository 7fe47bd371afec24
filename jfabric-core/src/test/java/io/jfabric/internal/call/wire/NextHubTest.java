// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes to receives that are being given up, as there was no caller or service, and there is one again. */
@Timeout(30)
class NextHubTest {
    private static final long TAG = Wire.requests(5);

    @Test
    void whoIsOpenedMeanwhileGetsIt() {
        Providers.Choice choice = Providers.offered(Providers.SHM).findFirst().orElseThrow();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node node = Node.open(hints)) {
            Keeper before = new Keeper();
            Hub old = Hub.join((NodeImpl) node, TAG, before);
            PooledBuffer buffer = old.take();
            old.leave(TAG, before, false);
            Keeper after = new Keeper();
            Hub next = Hub.join((NodeImpl) node, TAG, after);
            assertThat(next).isNotSameAs(old);
            MemorySegment frame = buffer.segment();
            Frame.write(frame, Frame.CONNECT, 1, 2, 3, 0, 0, 0);
            Frame.target(frame, TAG);
            assertThat(old.dispatch(buffer, frame, Frame.HEADER)).isNotSameAs(Hub.Ending.LATER);
            assertThat(before.kept).isEmpty();
            assertThat(after.kept).hasSize(1);
            PooledBuffer copy = after.kept.getFirst();
            assertThat(copy).isNotSameAs(buffer);
            assertThat(copy.segment().asSlice(0, Frame.HEADER).mismatch(frame.asSlice(0, Frame.HEADER))).isEqualTo(-1);
            copy.close();
            buffer.close();
            next.leave(TAG, after, false);
        }
    }
}
