// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What providers do not count, or not as they say. */
@Timeout(30)
class UncountedTest {
    private static final Providers.Choice NET = new Providers.Choice("net", EndpointType.RDM);

    private final Arena arena = Arena.ofAuto();
    private final List<Counter> counters = new ArrayList<>();

    private Consumer<Endpoint> counting(BindFlag what) {
        return endpoint -> {
            Counter counter = endpoint.domain().openCounter();
            counters.add(counter);
            endpoint.bind(counter, what);
        };
    }

    private Pair open(Providers.Choice choice, Consumer<Hints> hints, BindFlag what) {
        return Pair.open(choice, hints, CompletionQueueAttributes.of(CompletionFormat.TAGGED), counting(what));
    }

    private static void refused(Runnable call, String remedy) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining(remedy);
    }

    /** They would count operations. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void bytes(Providers.Choice choice) {
        assumeTrue(Fabric.version().atLeast(new Version(1, 21)), "older libraries do not know them");
        CounterAttributes bytes = CounterAttributes.DEFAULT.withEvents(CounterAttributes.Events.BYTES);
        try (Hints hints = choice.hints(); FabricInfoList infos = Fabric.getInfo(hints);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            refused(() -> domain.openCounter(bytes), "Events.COMPLETIONS");
        }
    }

    /** A tagged message that came before its receive would crash. */
    @Test
    void onUnconnectedEndpointsOfNet() {
        NET.assumeOffered();
        for (BindFlag what : List.of(BindFlag.RECV, BindFlag.TRANSMIT)) {
            refused(() -> open(NET, hints -> { }, what).close(), "than TAGGED");
        }
        counters.clear();
        try (Pair pair = open(NET, hints -> hints.capabilities(Capability.MSG), BindFlag.RECV).connect()) {
            long before = counters.get(1).read();
            MemorySegment memory = arena.allocate(8);
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 1));
            pair.progressFor(Duration.ofMillis(20));
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 2));
            pair.await(pair.b, 2);
            assertThat(counters.get(1).read()).isEqualTo(before + 1);
        }
    }

    private static void forEvents(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.RMA, Capability.RMA_EVENT);
    }

    /** Only if there is data with them. */
    @Test
    void writesOfPeers() {
        assumeTrue(Providers.TCP_RDM.isOffered(UncountedTest::forEvents), "no tcp of that kind");
        try (Pair pair = open(Providers.TCP_RDM, UncountedTest::forEvents, BindFlag.REMOTE_WRITE).connect()) {
            MemorySegment memory = arena.allocate(8);
            RemoteRegion region = pair.domain.register(arena.allocate(8), MemoryAccess.REMOTE_WRITE).remote();
            for (int i = 0; i < 3; i++) {
                pair.post(() -> pair.a.endpoint.rma().write(memory, pair.a.peer, region, 0, 1));
                pair.await(pair.a, 1);
            }
            assertThat(counters.get(1).read()).isZero();
            pair.post(() -> pair.a.endpoint.rma().writeData(memory, 5, pair.a.peer, region, 0, 2));
            pair.await(pair.a, 2);
            pair.until("that is counted", () -> counters.get(1).read() == 1);
        }
    }

    @Test
    void injectedMessagesOfConnections() {
        Providers.TCP_MSG.assumeOffered();
        try (Connected connected = new Connected(Providers.TCP_MSG)) {
            Side[] sides = connected.connect(counting(BindFlag.TRANSMIT));
            MemorySegment memory = arena.allocate(8);
            for (int i = 0; i < 3; i++) {
                connected.await(() -> sides[1].endpoint.messages().receive(memory, Address.ANY, 1) ? sides : null);
                connected.await(() -> sides[0].endpoint.messages().inject(memory, Address.ANY) ? sides : null);
                connected.await(() -> {
                    sides[0].poll();
                    sides[1].poll();
                    return sides[1].take(done -> done.context() == 1);
                });
            }
            assertThat(counters.getFirst().read()).isEqualTo(Fabric.version().atLeast(new Version(1, 18)) ? 3 : 0);
        }
    }
}
