// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What sockets takes a peer for that was removed, and of which there are two connections. */
@Timeout(60)
class RemovedSourceTest {
    /** If this fails, a new release may do it right: then the table of quirks has to say so. */
    @Test
    void itSeemsToBeTheNext() {
        Providers.SOCKETS.assumeOffered();
        MemorySegment memory = Arena.ofAuto().allocate(8);
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            AddressVector addresses = pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.withCount(1));
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            Side own = new Side(pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).enable(), queue, addresses);
            own.peer = addresses.insert(pair.a.endpoint.address());
            send(pair, own, own.peer, pair.a, memory);
            // that one does not know that they are connected
            long back = pair.a.addresses.insert(own.endpoint.address());
            assertThat(send(pair, pair.a, back, own, memory).source()).isEqualTo(own.peer);
            addresses.remove(own.peer);
            assertThat(addresses.insert(pair.b.endpoint.address())).isEqualTo(own.peer);
            assertThat(send(pair, pair.a, back, own, memory).source()).isEqualTo(own.peer);
        }
    }

    private static Done send(Pair pair, Side from, long peer, Side to, MemorySegment memory) {
        to.endpoint.messages().receive(memory, Address.ANY, 1);
        from.endpoint.messages().send(memory, peer, 2);
        Done[] done = new Done[2];
        pair.until("the message is there", () -> {
            from.poll();
            to.poll();
            done[0] = done[0] == null ? from.take(one -> one.context() == 2) : done[0];
            done[1] = done[1] == null ? to.take(one -> one.context() == 1) : done[1];
            return done[0] != null && done[1] != null;
        });
        return done[1];
    }
}
