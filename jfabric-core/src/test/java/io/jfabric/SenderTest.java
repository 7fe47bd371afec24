// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What providers say wrong of who has sent a message, or what came with it, and nothing above them can mend. A test
 * that fails may mean that a new release does it right: then the table of quirks has to say so.
 */
@Timeout(90)
class SenderTest {
    private static final Consumer<Hints> DIRECTED = hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
            Capability.SOURCE, Capability.DIRECTED_RECV);
    private static final long RECEIVE = 1;

    private final MemorySegment in = Arena.ofAuto().allocate(8);
    private final MemorySegment out = Arena.ofAuto().allocate(8);

    /** What b, which knows a, receives from a third: a completion, or null where it goes on waiting. */
    private Done fromThird(Pair pair, boolean known, boolean tagged, long from) {
        try (FabricInfoList infos = new Providers.Choice(pair.info.provider(), EndpointType.RDM).find(DIRECTED);
             FabricInfo info = infos.first().duplicate()) {
            AddressVector vector = pair.domain.openAddressVector();
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            Side third = new Side(pair.domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(vector).enable(), queue, vector);
            long peer = third.addresses.insert(pair.b.endpoint.address().bytes());
            if (known) {
                pair.b.addresses.insert(third.endpoint.address().bytes());
            }
            pair.post(() -> tagged ? pair.b.endpoint.tagged().receive(in, from, 7, 0, RECEIVE)
                    : pair.b.endpoint.messages().receive(in, from, RECEIVE));
            pair.until("sent", () -> {
                third.poll();
                return tagged ? third.endpoint.tagged().send(out, peer, 7, 2)
                        : third.endpoint.messages().send(out, peer, 2);
            });
            Done done = null;
            for (long end = System.nanoTime() + 2_000_000_000L; done == null && System.nanoTime() < end;) {
                third.poll();
                pair.progress();
                done = pair.b.take(d -> d.context() == RECEIVE);
            }
            return done;
        }
    }

    @Test
    void whoIsUnknownIsTakenForAnyPeerOnShm() {
        assumeTrue(Providers.SHM.isOffered(DIRECTED) && !Fabric.version().atLeast(new Version(1, 19)),
                "newer releases do not");
        try (Pair pair = Pair.open(Providers.SHM, DIRECTED)) {
            Done done = fromThird(pair, false, true, pair.b.peer);
            assertThat(done).isNotNull();
            assertThat(done.source()).isEqualTo(
                    Fabric.version().atLeast(new Version(1, 18)) ? Address.NOT_AVAILABLE : pair.b.peer);
        }
    }

    @Test
    void whoIsUnknownIsTakenForAnyPeerOnSockets() {
        assumeTrue(Providers.SOCKETS.isOffered(DIRECTED));
        try (Pair pair = Pair.open(Providers.SOCKETS, DIRECTED)) {
            assertThat(fromThird(pair, false, true, pair.b.peer)).isNotNull();
        }
    }

    @Test
    void theSecondPeerIsTheFirstOnRxd() {
        assumeTrue(Providers.RXD.isOffered(DIRECTED));
        try (Pair pair = Pair.open(Providers.RXD, DIRECTED).connect()) {
            assertThat(fromThird(pair, true, true, Address.ANY).source()).isEqualTo(pair.b.peer);
        }
    }

    @Test
    void anUntaggedReceiveIsForAllOnTcp() {
        assumeTrue(Providers.TCP_RDM.isOffered(DIRECTED));
        try (Pair pair = Pair.open(Providers.TCP_RDM, DIRECTED)) {
            assertThat(fromThird(pair, true, false, pair.b.peer)).isNotNull();
        }
        try (Pair pair = Pair.open(Providers.TCP_RDM, DIRECTED)) {
            assertThat(fromThird(pair, true, true, pair.b.peer)).isNull();
        }
    }

    @Test
    void immediateDataThatCameEarlyLookLikeThoseOfBefore() {
        assumeTrue(Providers.SOCKETS.isOffered());
        try (Pair pair = Pair.open(Providers.SOCKETS).connect()) {
            Done with = early(pair, () -> pair.a.endpoint.messages().sendData(out, 77, pair.a.peer, 2));
            assertThat(with.data()).isEqualTo(77);
            assertThat(with.is(CompletionFlag.REMOTE_CQ_DATA)).isFalse();
            Done without = early(pair, () -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            assertThat(without.data()).isEqualTo(77);
        }
    }

    /** Of a message that is there before its receive. */
    private Done early(Pair pair, BooleanSupplier send) {
        pair.post(send);
        pair.await(pair.a, 2);
        for (long end = System.nanoTime() + 200_000_000L; System.nanoTime() < end;) {
            pair.progress();
        }
        pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, RECEIVE));
        return pair.await(pair.b, RECEIVE);
    }

    /** Queues of receives are made as the domain says, and look for a sender behind their end. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void anEndpointWithoutItInADomainWithItIsAskedForKnownSendersToo(Providers.Choice choice) {
        Consumer<Hints> plain = hints -> hints.capabilities(Capability.MSG, Capability.TAGGED);
        assumeTrue(choice.isOffered(DIRECTED) && choice.isOffered(plain));
        try (FabricInfoList with = choice.find(DIRECTED); FabricInfoList without = choice.find(plain);
                Fabric fabric = Fabric.open(with.first()); Domain domain = fabric.openDomain(with.first())) {
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint endpoint = domain.openEndpoint(without.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(domain.openAddressVector()).enable();
            MemorySegment memory = Arena.ofAuto().allocate(8);
            for (long nobody : new long[] {0, 1, 2987, -2, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> endpoint.messages().receive(memory, nobody, 1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("source");
                assertThatThrownBy(() -> endpoint.tagged().receive(memory, nobody, 5, 0, 1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("source");
                assertThatThrownBy(() -> endpoint.tagged().peek(nobody, 5, 0, 1))
                        .isInstanceOfAny(IllegalArgumentException.class, FabricException.class);
            }
        }
    }

    /** An early message leads to its connection, which is the next one's by then. */
    @Test
    void whoHasClosedIsTakenForWhoComesNextOnRxm() throws InterruptedException {
        assumeTrue(Providers.RXM.isOffered());
        Consumer<Hints> hints = h -> h.capabilities(Capability.MSG, Capability.TAGGED, Capability.SOURCE);
        try (Pair pair = Pair.open(Providers.RXM, hints); Pair other = Pair.open(Providers.RXM, hints)) {
            long next = pair.b.addresses.insert(other.a.endpoint.address().bytes());
            long to = other.a.addresses.insert(pair.b.endpoint.address().bytes());
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 2));
            pair.await(pair.a, 2);
            pair.progressFor(Duration.ofMillis(200));
            pair.a.endpoint.close();
            for (int i = 0; i < 200; i++) {
                pair.b.poll();
                Thread.sleep(1);
            }
            other.post(() -> {
                pair.b.poll();
                return other.a.endpoint.tagged().send(out, to, 6, 2);
            });
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 6, 0, 6));
            pair.until("the next one's", () -> {
                other.progress();
                return pair.b.take(done -> done.context() == 6) != null;
            });
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 5, 0, RECEIVE));
            assertThat(pair.await(pair.b, RECEIVE).source()).isEqualTo(next).isNotEqualTo(pair.b.peer);
        }
    }

    /** Of those that match, the first should have it. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void laterReceivesFromOnePeerComeFirst(Providers.Choice choice) {
        assumeTrue(choice.isOffered(DIRECTED));
        boolean wrong = Fabric.version().atLeast(new Version(2, 3))
                && (choice.equals(Providers.SHM) || choice.equals(Providers.RXM));
        MemorySegment first = Arena.ofAuto().allocate(8);
        try (Pair pair = Pair.open(choice, DIRECTED).connect()) {
            pair.post(() -> pair.b.endpoint.tagged().receive(first, Address.ANY, 5, 0, RECEIVE));
            pair.post(() -> pair.b.endpoint.tagged().receive(in, pair.b.peer, 5, 0, RECEIVE + 1));
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 2));
            pair.await(pair.b, wrong ? RECEIVE + 1 : RECEIVE);
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 2));
            pair.await(pair.b, wrong ? RECEIVE : RECEIVE + 1);
        }
    }
}
