// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An untagged message that comes before its receive stops its connection on tcp, and the domain does not know which
 * connection to go on with. If this fails, a new release may do it right.
 */
@Timeout(60)
class EarlyUntaggedTest {
    private static final int LENGTH = 100;

    static Stream<Providers.Choice> choices() {
        return Providers.offered(Providers.TCP_RDM, new Providers.Choice("net", EndpointType.RDM));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("choices")
    void waitsForThoseOfOthers(Providers.Choice choice) {
        try (Pair receivers = Pair.open(choice); Pair senders = Pair.open(choice); Arena arena = Arena.ofShared()) {
            send(senders, receivers, receivers.a, Bytes.pattern(arena, LENGTH, 1));
            send(senders, receivers, receivers.b, Bytes.pattern(arena, LENGTH, 2));
            MemorySegment in = arena.allocate(LENGTH);
            receivers.post(() -> receivers.b.endpoint.messages().receive(in, Address.ANY, 3));
            progress(receivers, senders);
            assertThat(receivers.b.done()).as("received").isEmpty();
            receivers.post(() -> receivers.a.endpoint.messages().receive(arena.allocate(LENGTH), Address.ANY, 4));
            receivers.await(receivers.a, 4);
            receivers.post(() -> receivers.b.endpoint.messages().receive(arena.allocate(LENGTH), Address.ANY, 5));
            receivers.await(receivers.b, 3);
            assertThat(in.mismatch(Bytes.pattern(arena, LENGTH, 2))).isEqualTo(-1);
        }
    }

    private static void send(Pair senders, Pair receivers, Side to, MemorySegment message) {
        long peer = senders.a.addresses.insert(to.endpoint.address());
        senders.post(() -> {
            receivers.progress();
            return senders.a.endpoint.messages().send(message, peer, 1);
        });
        progress(receivers, senders);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("choices")
    void holdsUpAnswersToReads(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA)).connect();
             Arena arena = Arena.ofShared(); MemoryRegion region = pair.domain.register(
                     Bytes.pattern(arena, LENGTH, 1), MemoryAccess.REMOTE_READ)) {
            MemorySegment in = arena.allocate(LENGTH);
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocate(LENGTH), pair.a.peer, 1));
            pair.await(pair.a, 1);
            progress(pair, pair);
            pair.post(() -> pair.b.endpoint.rma().read(in, pair.b.peer, region.remote(), 0, 2));
            progress(pair, pair);
            assertThat(pair.b.done()).as("read").isEmpty();
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(LENGTH), Address.ANY, 3));
            pair.await(pair.b, 3);
            pair.await(pair.b, 2);
            assertThat(in.mismatch(Bytes.pattern(arena, LENGTH, 1))).isEqualTo(-1);
        }
    }

    private static void progress(Pair one, Pair other) {
        for (int i = 0; i < 200; i++) {
            one.progress();
            other.progress();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
