// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that are longer than their receives, on shm, which would write them where they do not belong. */
@Timeout(60)
class OverflowTest {
    private static final long LONG = 64 << 20;

    /** Its queue for receives is never read. */
    @Test
    void whatCameTooLongIsGivenBackWithTheEndpoint() throws IOException {
        assumeTrue(Providers.SHM.isOffered());
        CompletionQueueAttributes tagged = CompletionQueueAttributes.of(CompletionFormat.TAGGED);
        try (Pair pair = Pair.open(Providers.SHM); FabricArena arena = pair.domain.openArena()) {
            CompletionQueue sends = pair.domain.openCompletionQueue(tagged);
            CompletionQueue receives = pair.domain.openCompletionQueue(tagged);
            Endpoint receiver = pair.domain.openEndpoint(pair.info).bind(sends, BindFlag.TRANSMIT)
                    .bind(receives, BindFlag.RECV).bind(pair.b.addresses).enable();
            long peer = pair.a.addresses.insert(receiver.address().bytes());
            MemorySegment letter = arena.allocate(LONG).fill((byte) 1);
            MemorySegment inbox = arena.allocate(8);
            long before = Resident.bytes("RssAnon");
            pair.post(() -> receiver.tagged().receive(inbox, Address.ANY, 1, 0, 1));
            pair.until("the message is posted", () -> {
                sends.poll(completion -> { }, 1);
                return pair.a.endpoint.tagged().send(letter, peer, 1, 2);
            });
            pair.until("the message is sent", () -> {
                sends.poll(completion -> { }, 1);
                return !pair.a.done().isEmpty();
            });
            receiver.close();
            assertThat(Resident.bytes("RssAnon") - before).isLessThan(LONG / 4);
        }
    }
}
