// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What rxm forgets about its connections. Each of these ended the process, or wrote where nobody may. */
@Timeout(60)
class RxmConnectionTest {
    private static final int SEGMENTED = 64 << 10;
    private final Arena arena = Arena.ofAuto();

    @BeforeEach
    void offered() {
        assumeTrue(Providers.RXM.isOffered());
    }

    private static Pair rma() {
        return Pair.open(Providers.RXM, hints -> hints.capabilities(Capability.MSG, Capability.RMA)).connect();
    }

    /** The target breaks the connection; what was on its way then fails, with contexts or without. */
    @Test
    void injectedWritesMayFail() {
        try (Pair pair = rma()) {
            MemorySegment target = arena.allocate(64);
            RemoteRegion right = pair.b.endpoint.register(target, MemoryAccess.REMOTE_WRITE).remote();
            RemoteRegion wrong = RemoteRegion.of(right.base(), 64, right.key() + 77);
            Rma rma = pair.a.endpoint.rma();
            MemorySegment source = arena.allocate(64).fill((byte) 5);
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 50; i++) {
                    rma.inject(source, pair.a.peer, i == 3 ? wrong : right, 0);
                    rma.injectData(source, 1, pair.a.peer, right, 0);
                }
                pair.progress();
            }
            pair.progressFor(Duration.ofMillis(200));
            pair.post(() -> rma.inject(source, pair.a.peer, right, 0));
            pair.until("written", () -> target.get(ValueLayout.JAVA_BYTE, 63) == 5);
        }
    }

    @Test
    void injectingRequestsMayBeAsLongAsTheProviderSays() {
        try (Pair pair = rma()) {
            int size = (int) pair.info.tx().injectSize();
            MemorySegment target = arena.allocate(size);
            RemoteRegion region = pair.b.endpoint.register(target, MemoryAccess.REMOTE_WRITE).remote();
            MemorySegment source = arena.allocate(size).fill((byte) 7);
            RmaRequest request = pair.a.endpoint.rma().writeRequest().peer(pair.a.peer).buffers(source)
                    .range(region, 0, size).flags(OperationFlag.INJECT);
            for (int i = 0; i < 40; i++) {
                pair.post(() -> request.post(9));
            }
            pair.until("written", () -> target.mismatch(source) == -1);
        }
    }

    @Test
    void writesThatTheUserCountsAreCountedOnce() {
        Counter[] counter = new Counter[1];
        try (Pair pair = Pair.open(Providers.RXM, hints -> hints.capabilities(Capability.MSG, Capability.RMA),
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> {
                    counter[0] = endpoint.domain().openCounter();
                    endpoint.bind(counter[0], BindFlag.WRITE);
                }).connect()) {
            MemorySegment memory = arena.allocate(64);
            RemoteRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE).remote();
            pair.post(() -> pair.b.endpoint.rma().inject(memory, pair.b.peer, region, 0));
            pair.until("counted", () -> counter[0].read() == 1);
        }
    }

    /** Libfabric 2 looks for the sender of a message that waits; without FI_SOURCE it has none. */
    @Test
    void addressesAreInsertedWhileMessagesWait() {
        try (Pair pair = Pair.open(Providers.RXM, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED))
                .connect()) {
            MemorySegment out = arena.allocate(8).fill((byte) 3);
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 4, 2));
            pair.await(pair.a, 1);
            pair.await(pair.a, 2);
            pair.progressFor(Duration.ofMillis(200));
            pair.b.addresses.insert(pair.b.endpoint.address());
            MemorySegment in = arena.allocate(8);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 5));
            pair.await(pair.b, 5);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 4, 0, 6));
            pair.await(pair.b, 6);
            assertThat(in.mismatch(out)).isEqualTo(-1);
            assertThat(pair.b.endpoint.info().capabilities().contains(Capability.SOURCE)).isFalse();
        }
    }

    @Test
    void segmentsMayNotFit() {
        try (Pair pair = Pair.open(Providers.RXM, hints ->
                hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.COLLECTIVE)).connect()) {
            MemorySegment tooLong = arena.allocate(SEGMENTED);
            for (int i = 0; i < 3; i++) {
                long context = 10 + i;
                pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(100), Address.ANY, context));
                pair.post(() -> pair.a.endpoint.messages().send(tooLong, pair.a.peer, context));
                Object error = pair.awaitAny(pair.b, done -> done.context() == context).error();
                // before 2.0 a rendezvous that is cut short is no error there
                assertThat(error == null || error.toString().contains("ETRUNC") || error.toString().contains("265"))
                        .as(String.valueOf(error)).isTrue();
            }
            MemorySegment in = arena.allocate(SEGMENTED);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 20));
            pair.post(() -> pair.a.endpoint.messages().send(tooLong, pair.a.peer, 20));
            assertThat(pair.await(pair.b, 20).length()).isEqualTo(SEGMENTED);
        }
    }

    @Test
    void queuesOutliveEndpointsThatTheyWaitedFor() {
        CompletionQueueAttributes waiting = CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(WaitObject.FD);
        try (Pair pair = Pair.open(Providers.RXM, hints -> { }, waiting, endpoint -> { }).connect()) {
            Counter counter = pair.domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.FD));
            Endpoint other = pair.domain.openEndpoint(pair.info).bind(pair.a.queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(pair.a.addresses).bind(counter, BindFlag.TRANSMIT).enable();
            other.close();
            for (int i = 0; i < 5; i++) {
                assertThat(pair.a.queue.await(c -> { }, 1, Duration.ofMillis(5))).isZero();
                assertThat(counter.await(1, Duration.ofMillis(5))).isFalse();
                assertThat(pair.fabric.tryWait(pair.a.queue)).isFalse();
            }
            MemorySegment in = arena.allocate(8);
            pair.post(() -> pair.a.endpoint.messages().receive(in, Address.ANY, 5));
            pair.post(() -> pair.b.endpoint.messages().send(in, pair.b.peer, 6));
            long[] context = new long[1];
            pair.untilWithoutProgress("received", () -> {
                pair.b.poll();
                pair.a.queue.await(c -> context[0] = c.context(), 1, Duration.ofMillis(10));
                return context[0] == 5;
            });
        }
    }

    /** A refused binding changes nothing: closing needs the vector. */
    @Test
    void closesAfterABindingWasRefused() {
        try (Pair pair = Pair.open(Providers.RXM)) {
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(pair.a.queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(pair.domain.openCounter(), BindFlag.TRANSMIT).bind(pair.a.addresses);
            assertThatThrownBy(() -> endpoint.bind(pair.domain.openCounter(), BindFlag.TRANSMIT))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("fi_ep_bind")
                    .hasMessageContaining("has a counter for that already");
            endpoint.close();
            pair.connect();
        }
    }
}
