// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.CompletionQueue;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completions that jfabric has read, but nobody was given: the provider knows of none, and threads must not sleep. */
@Timeout(60)
@SuppressWarnings("deprecation")
class UnreadTest {
    private static final CompletionQueueAttributes ATTRIBUTES = CompletionQueueAttributes.of(CompletionFormat.TAGGED);
    private static final Duration SOME = Duration.ofMillis(300);

    private final MemorySegment buffer = Arena.ofAuto().allocate(8);

    static Stream<Providers.Choice> withDescriptors() {
        return Providers.offered(Providers.RXM, Providers.SOCKETS, Providers.TCP_RDM);
    }

    static Stream<Providers.Choice> withSets() {
        return Providers.offered(Providers.RXM, Providers.TCP_RDM);
    }

    /** Null for a queue with a descriptor of its own. */
    private static CompletionQueue queue(Pair pair, WaitSet set) {
        return set != null ? set.openCompletionQueue(pair.domain, ATTRIBUTES)
                : pair.domain.openCompletionQueue(ATTRIBUTES.withWaitObject(WaitObject.FD));
    }

    private static boolean sleeps(Fabric fabric, CompletionQueue queue, WaitSet set) {
        return set != null ? !set.await(SOME)
                : fabric.tryWait(queue) && FdWaiter.of(queue.fileDescriptor()).await(SOME) == 0;
    }

    @ParameterizedTest
    @MethodSource("withDescriptors")
    void whatAHandlerLeftIsThereToRead(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            leftByAHandler(pair, null);
        }
    }

    @ParameterizedTest
    @MethodSource("withSets")
    void whatAHandlerLeftEndsTheWaitForASet(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            leftByAHandler(pair, WaitSet.open(pair.fabric, WaitObject.FD));
        }
    }

    private void leftByAHandler(Pair pair, WaitSet set) {
        CompletionQueue queue = queue(pair, set);
        Endpoint third = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                .bind(pair.domain.openAddressVector()).enable();
        PollSet polled = PollSet.open(pair.domain).add(queue);
        long peer = pair.a.addresses.insert(third.address().bytes());
        for (int i = 1; i <= 2; i++) {
            int context = i;
            pair.post(() -> third.messages().receive(buffer, Address.ANY, context));
        }
        for (int i = 0; i < 2; i++) {
            pair.post(() -> {
                polled.poll();
                return pair.a.endpoint.messages().send(buffer, peer, 3);
            });
        }
        for (long end = System.nanoTime() + SOME.toNanos(); System.nanoTime() < end;) {
            pair.a.poll();
            polled.poll();
        }
        assertThatThrownBy(() -> queue.poll(completion -> {
            throw new UnsupportedOperationException("of the handler");
        }, 8)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(polled.poll()).contains(queue);
        assertThat(sleeps(pair.fabric, queue, set)).isFalse();
        List<Long> contexts = new ArrayList<>();
        assertThat(queue.poll(completion -> contexts.add(completion.context()), 8)).isEqualTo(1);
        assertThat(contexts).containsExactly(2L);
        assertThat(polled.poll()).isEmpty();
        assertThat(sleeps(pair.fabric, queue, set)).isTrue();
        polled.close();
    }

    /** What is in the queue of the others is read then, too, where the provider might report it twice. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasReadAsAnEndpointClosedIsThereToRead(boolean inSet) {
        assumeTrue(Providers.TCP_MSG.isOffered());
        try (Connected connected = new Connected(Providers.TCP_MSG)) {
            WaitSet set = inSet ? WaitSet.open(connected.fabric, WaitObject.FD) : null;
            CompletionQueue queue = inSet ? set.openCompletionQueue(connected.domain, ATTRIBUTES)
                    : connected.domain.openCompletionQueue(ATTRIBUTES.withWaitObject(WaitObject.FD));
            List<Endpoint> clients = new ArrayList<>();
            Side server = connect(connected, queue, clients);
            connect(connected, queue, clients);
            assertThat(clients.getFirst().messages().receive(buffer, Address.ANY, 77)).isTrue();
            assertThat(server.endpoint.messages().send(buffer, 0, 1)).isTrue();
            connected.await(() -> server.take(done -> done.context() == 1));
            for (long end = System.nanoTime() + SOME.toNanos(); System.nanoTime() < end;) {
                server.poll();
            }
            clients.getLast().close();
            assertThat(sleeps(connected.fabric, queue, set)).isFalse();
            List<Long> contexts = new ArrayList<>();
            connected.await(() -> queue.poll(completion -> contexts.add(completion.context()), 8) == 0 ? null : 1);
            assertThat(contexts).containsExactly(77L);
        }
    }

    private static Side connect(Connected connected, CompletionQueue queue, List<Endpoint> clients) {
        try (FabricInfo info = connected.info().duplicate()) {
            clients.add(connected.domain.openEndpoint(info.sourceAddress((Address) null))
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(connected.clientEvents).enable());
        }
        clients.getLast().connect(connected.listener.address());
        Side server;
        try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) connected.serverEvent()) {
            server = connected.open(asked.info(), connected.serverEvents);
        }
        server.endpoint.enable().accept();
        connected.clientEvent();
        connected.serverEvent();
        return server;
    }
}
