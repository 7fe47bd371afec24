// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Domain;
import io.jfabric.Fabric;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that nobody reads may take as many as they like: receives have theirs. */
@Timeout(60)
class HubBuffersTest {
    @Test
    void someAreForReceivesOnly() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first())) {
            HubBuffers buffers = new HubBuffers(domain, 64, () -> false);
            List<PooledBuffer> taken = new ArrayList<>();
            for (PooledBuffer one = buffers.take(); one != null; one = buffers.take()) {
                taken.add(one);
            }
            assertThat(taken).hasSizeBetween(HubBuffers.COUNT / 2, HubBuffers.COUNT - 1);
            CompletableFuture<PooledBuffer> waits = buffers.takeLater();
            for (int i = taken.size(); i < HubBuffers.COUNT; i++) {
                PooledBuffer spare = buffers.takeToReceive();
                assertThat(spare).isNotNull();
                taken.add(spare);
            }
            assertThat(buffers.takeToReceive()).isNull();
            CompletableFuture<PooledBuffer> receives = buffers.takeLaterToReceive();
            assertThat(waits).isNotDone();
            assertThat(receives).isNotDone();

            taken.removeLast().close();
            taken.add(receives.get(20, TimeUnit.SECONDS));
            assertThat(waits).as("it was a spare one").isNotDone();
            taken.removeFirst().close();
            taken.add(waits.get(20, TimeUnit.SECONDS));
            assertThat(buffers.isUnused()).isFalse();
            taken.forEach(PooledBuffer::close);
            assertThat(buffers.isUnused()).isTrue();
            assertThat(buffers.closeOrAbandon()).isTrue();
            assertThat(buffers.takeLaterToReceive()).isCompletedExceptionally();
        }
    }
}
