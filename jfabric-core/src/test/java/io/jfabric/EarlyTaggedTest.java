// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A tagged message that comes before its receive is for the endpoint that it was sent to, also where its domain has
 * others: nothing above libfabric can mend it where it is not, but a warning tells. If this fails there, a new release
 * may do it right.
 */
@Timeout(60)
@Tag("long")
class EarlyTaggedTest {
    /** They look for early messages in all of the domain. */
    private static final Set<String> ASTRAY = Set.of("tcp", "net");
    private static final String WARNING = "that comes before its receive may be received by";
    private static final int TAG = 9;

    static Stream<Providers.Choice> choices() {
        return Stream.concat(Providers.rdm(), Stream.of(new Providers.Choice("net", EndpointType.RDM))
                .filter(Providers.Choice::isOffered));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void goesToWhomItWasSent(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice).connect()) {
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            AddressVector addresses = pair.domain.openAddressVector();
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).enable();
            Side third = new Side(endpoint, queue, addresses);
            MemorySegment message = Bytes.pattern(arena, 8, 1);
            MemorySegment wrong = arena.allocate(8);
            MemorySegment right = arena.allocate(8);
            pair.post(() -> pair.a.endpoint.tagged().send(message, pair.a.peer, TAG, 1));
            progress(pair, third);
            pair.post(() -> endpoint.tagged().receive(wrong, Address.ANY, TAG, 0, 2));
            progress(pair, third);
            pair.post(() -> pair.b.endpoint.tagged().receive(right, Address.ANY, TAG, 0, 3));
            progress(pair, third);
            boolean astray = ASTRAY.contains(choice.provider());
            assertThat(wrong.mismatch(message) == -1).as("received by another").isEqualTo(astray);
            assertThat(right.mismatch(message) == -1).as("received").isEqualTo(!astray);
        }
    }

    @ParameterizedTest
    @MethodSource("choices")
    void twoInADomainAreWarned(Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(Opener.class, choice.provider()).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        String[] parts = result.output().split(Opener.BETWEEN, -1);
        assertThat(parts).hasSize(2);
        assertThat(parts[0]).as("a domain for each").doesNotContain(WARNING);
        assertThat(parts[1].lines().filter(line -> line.contains(WARNING))).as(parts[1])
                .hasSize(ASTRAY.contains(choice.provider()) ? 1 : 0);
    }

    /** Opens two endpoints with a domain for each, then two pairs with one for both. */
    public static final class Opener {
        private static final String BETWEEN = "now in one";

        private Opener() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.RDM);
            try (FabricInfoList infos = choice.find(hints -> { })) {
                Node.open(infos.first()).close();
                try (Node one = Node.open(infos.first()); Node other = Node.open(infos.first())) {
                    System.out.println(one + ", " + other);
                }
            }
            System.out.println(BETWEEN);
            Pair.open(choice).close();
            Pair.open(choice).close();
        }
    }

    /** Sleeps in between: a provider with a thread of its own needs a processor for that. */
    private static void progress(Pair pair, Side third) {
        for (int i = 0; i < 200; i++) {
            pair.progress();
            third.poll();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
