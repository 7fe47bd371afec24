// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options are values: each method changes one thing, which can be changed back. */
class OptionsTest {
    private static final NodeOptions NODE = NodeOptions.DEFAULT;
    private static final CallerOptions CALLER = CallerOptions.DEFAULT;
    private static final ServiceOptions SERVICE = ServiceOptions.DEFAULT;
    private static final IdleStrategy IDLE = IdleStrategy.asleep();
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void whatIsChangedIsToldApart() {
        List<NodeOptions> nodes = List.of(NODE, NODE.withCallerProgress(), NODE.withIdle(IdleStrategy.busy()),
                NODE.withExecutor(ServiceOptions.VIRTUAL), NODE.withDeadline(SECOND), NODE.withReceiveDeadline(SECOND),
                NODE.withTransmitLimit(1), NODE.withReceiveLimit(1), NODE.withPeerLimit(1), NODE.withBacklog(1),
                NODE.withQueueSize(1));
        List<CallerOptions> callers = List.of(CALLER, CALLER.withWindow(1), CALLER.withBacklog(1),
                CALLER.withDeadline(SECOND), CALLER.withLargestAnswer(1));
        List<ServiceOptions> services = List.of(SERVICE, SERVICE.withExecutor(NodeOptions.DIRECT), SERVICE.withLimit(1),
                SERVICE.withCallers(1), SERVICE.withLargestRequest(1), SERVICE.withLargeBytes(1));
        List<IdleStrategy> strategies = List.of(IDLE, IDLE.withSpin(SECOND), IDLE.withYield(SECOND),
                IDLE.withSleep(Duration.ofNanos(1), IDLE.longestSleep()),
                IDLE.withSleep(IDLE.shortestSleep(), SECOND), IDLE.withBlocking(false));
        for (List<?> kind : List.of(nodes, callers, services, strategies)) {
            assertThat(kind).doesNotHaveDuplicates().extracting(Object::toString).doesNotHaveDuplicates();
        }
    }

    @Test
    void whatIsChangedBackIsTheSame() {
        same(NODE.withDeadline(SECOND).withBacklog(1).withIdle(IdleStrategy.busy()).withIdle(IdleStrategy.asleep())
                .withBacklog(NODE.backlog()).withDeadline(NODE.deadline()), NODE);
        same(CALLER.withWindow(1).withWindow(CALLER.window()), CALLER);
        same(SERVICE.withLimit(1).withLimit(SERVICE.limit()), SERVICE);
        same(IdleStrategy.backingOff().withBlocking(true), IDLE);
        try (Engine engine = Engine.start()) {
            same(NODE.withEngine(engine), NODE.withCallerProgress().withEngine(engine));
            same(NODE.withEngine(engine).withCallerProgress(), NODE.withCallerProgress());
            assertThat(NODE.withEngine(engine)).isNotEqualTo(NODE);
        }
    }

    private static void same(Object changed, Object original) {
        assertThat(changed).isEqualTo(original).hasSameHashCodeAs(original).hasToString(original.toString());
    }

    @Test
    void aRefusalNamesTheRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> NODE.withQueueSize(-1))
                .withMessage("queueSize: -1 is not between 0 and 4,194,304");
        assertThatIllegalArgumentException().isThrownBy(() -> CALLER.withWindow(65_537))
                .withMessage("window: 65537 is not between 1 and 65,536");
        assertThatIllegalArgumentException().isThrownBy(() -> CALLER.withDeadline(Duration.ZERO))
                .withMessageContaining("NodeOptions.NO_DEADLINE");
    }
}
