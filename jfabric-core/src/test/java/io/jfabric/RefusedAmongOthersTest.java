// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An address that the provider refuses takes none of those with it that are inserted by the same call. */
class RefusedAmongOthersTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void theOthersCanBeSentTo(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            MemorySegment memory = pair.domain.openArena().allocate(1024);
            AddressVector vector = pair.domain.openAddressVector();
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(vector).enable();
            byte[] own = endpoint.address().bytes();
            byte[] noPort = pair.b.endpoint.address().bytes();
            noPort[2] = 0;
            noPort[3] = 0;
            byte[] peer = pair.b.endpoint.address().bytes();
            MemorySegment addresses = memory.asSlice(0, 3L * own.length);
            long at = 0;
            for (byte[] address : new byte[][] {own, noPort, peer}) {
                MemorySegment.copy(address, 0, addresses, ValueLayout.JAVA_BYTE, at, address.length);
                at += address.length;
            }
            MemorySegment values = memory.asSlice(64, 3 * LONG.byteSize());

            long inserted = vector.insertAll(addresses, 3, values);

            boolean refused = values.get(LONG, 8) == Address.NOT_AVAILABLE;
            assertThat(inserted).isEqualTo(refused ? 2 : 3);
            assertThat(values.get(LONG, 0)).isNotEqualTo(Address.NOT_AVAILABLE);
            long to = values.get(LONG, 16);
            assertThat(vector.lookup(to)).isEqualTo(pair.b.endpoint.address());
            MemorySegment in = memory.asSlice(128, 100);
            MemorySegment out = Bytes.pattern(pair.domain.openArena(), 100, 3);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> {
                queue.poll(completion -> { }, 8);
                return endpoint.messages().send(out, to, 2);
            });
            pair.untilWithoutProgress("the message", () -> {
                queue.poll(completion -> { }, 8);
                pair.b.poll();
                return !pair.b.done().isEmpty();
            });
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }
}
