// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives of a shared context come to an end that somebody sees. */
@Timeout(60)
class SharedReportsTest {
    private static final int MESSAGES = 300;

    private static Connected open(Providers.Choice choice) {
        return new Connected(choice, hints -> hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT));
    }

    /** Nobody could tell when their memory is free again, nor would the domain forget them. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void whatNoQueueTellsOfIsRefused(Providers.Choice choice) {
        try (Connected c = open(choice)) {
            SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
            CompletionQueue queue = c.domain.openCompletionQueue(CompletionFormat.MSG);
            for (BindFlag[] flags : new BindFlag[][] {{}, {BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION}}) {
                Endpoint endpoint = c.domain.openEndpoint(c.info()).bind(queue, BindFlag.TRANSMIT).bind(c.clientEvents)
                        .bind(shared);
                if (flags.length > 0) {
                    endpoint.bind(queue, flags[0], flags[1]);
                }
                assertThatThrownBy(endpoint::enable).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("fi_enable").hasMessageContaining("shared receive context");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void receivesDoNotPileUp(Providers.Choice choice) {
        try (Connected c = open(choice)) {
            SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
            FabricArena arena = c.domain.openArena();
            MemorySegment memory = arena.allocate(8);
            Side[] sides = c.connect(endpoint -> endpoint.bind(shared));
            for (int i = 0; i < MESSAGES; i++) {
                int number = i;
                c.await(() -> shared.messages().receive(memory, Address.ANY, number) ? true : null);
                c.await(() -> sides[0].endpoint.messages().send(memory, Address.ANY, number) ? true : null);
                for (Side side : sides) {
                    c.await(() -> side.take(done -> done.context() == number));
                }
            }
            assertThat(c.domain.statistics().operations().underWay()).isZero();
            assertThat(arena.tryClose()).isTrue();
        }
    }

    /** Counted by the context or by the endpoint, not by nobody. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void receivesAreCounted(Providers.Choice choice) {
        try (Connected c = open(choice)) {
            SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
            Counter whole = c.domain.openCounter();
            Counter own = c.domain.openCounter();
            boolean refused = false;
            try {
                shared.bind(whole);
            } catch (FabricException e) {
                refused = true;
                assertThat(e.error()).isIn(FabricError.ENOSYS, FabricError.EINVAL);
                if (e.error() == FabricError.ENOSYS) {
                    assertThat(e).hasMessageContaining("bind one for RECV to each endpoint");
                }
            }
            Counter counts = refused ? own : whole;
            boolean each = refused;
            Side[] sides = c.connect(endpoint -> {
                endpoint.bind(shared);
                if (each) {
                    endpoint.bind(own, BindFlag.RECV);
                }
            });
            MemorySegment memory = c.domain.openArena().allocate(8);
            assertThat(shared.messages().receive(memory, Address.ANY, 1)).isTrue();
            c.await(() -> sides[0].endpoint.messages().send(memory, Address.ANY, 2) ? true : null);
            c.await(() -> sides[1].take(done -> done.context() == 1));
            c.await(() -> counts.read() == 1 ? true : null);
        }
    }
}
