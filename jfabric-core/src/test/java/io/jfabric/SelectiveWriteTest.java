// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What peers write with data, over a queue that reports what is asked for. Once it is told, the table is wrong. */
@Timeout(60)
class SelectiveWriteTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyAQueueThatReportsAllIsToldOfIt(boolean selective) {
        Providers.SOCKETS.assumeOffered();
        BindFlag[] flags = selective ? new BindFlag[] {BindFlag.SELECTIVE_COMPLETION} : new BindFlag[0];
        try (Pair pair = Pair.open(Providers.SOCKETS, hints -> hints.capabilities(Capability.MSG, Capability.RMA));
             Arena arena = Arena.ofShared();
             CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
             Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(pair.b.addresses)
                     .bind(queue, BindFlag.TRANSMIT).bind(queue, BindFlag.RECV, flags).enable();
             MemoryRegion region = pair.domain.register(arena.allocate(8), MemoryAccess.REMOTE_WRITE)) {
            Side target = new Side(endpoint, queue, pair.b.addresses);
            long peer = pair.a.addresses.insert(endpoint.address());
            MemorySegment out = arena.allocate(8);
            out.set(ValueLayout.JAVA_LONG, 0, 7);
            RemoteRegion remote = region.remote();
            pair.post(() -> pair.a.endpoint.rma().writeData(out, 42, peer, remote, 0, 1));
            pair.await(pair.a, 1);
            if (selective) {
                long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
                while (System.nanoTime() < end) {
                    pair.progress();
                    target.poll();
                }
                assertThat(target.done()).isEmpty();
            } else {
                pair.until("the data", () -> target.poll() > 0);
                assertThat(target.done().getFirst().data()).isEqualTo(42);
            }
        }
    }
}
