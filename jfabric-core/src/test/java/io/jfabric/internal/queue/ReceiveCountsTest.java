// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.CompletionQueue;
import io.jfabric.Endpoint;
import io.jfabric.FabricError;
import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counters are told of messages that were too long after the provider has counted them. */
@Timeout(60)
class ReceiveCountsTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(8);

    /** It breaks with another endpoint that it is bound to. */
    @Test
    void aBrokenCounterDoesNotKeepTheErrorFromTheHandler() {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM)) {
            CounterImpl counter = (CounterImpl) pair.domain.openCounter();
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint receiver = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(counter, BindFlag.RECV).bind(pair.b.addresses).enable();
            Side side = new Side(receiver, queue, pair.b.addresses);
            long peer = pair.a.addresses.insert(receiver.address().bytes());
            pair.post(() -> receiver.messages().receive(memory.asSlice(0, 1), Address.ANY, 1));
            pair.until("it is sent", () -> {
                queue.poll(completion -> { }, 1);
                return pair.a.endpoint.messages().send(memory, peer, 2);
            });
            counter.entry().breakDown("a process died");
            pair.untilWithoutProgress("the error", () -> side.poll() > 0);
            assertThat(side.done()).singleElement()
                    .satisfies(done -> assertThat(done.error().error()).isEqualTo(FabricError.ETRUNC));
        }
    }
}
