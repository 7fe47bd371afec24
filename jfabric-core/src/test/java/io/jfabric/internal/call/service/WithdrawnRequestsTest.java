// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long requests that were announced, and do not come as they should; with callers made by hand. */
@Timeout(60)
class WithdrawnRequestsTest {
    private static final int LONG = 100_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private static NodePair nodes(Providers.Choice choice) {
        return NodePair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
    }

    /** Its caller could not send it, and says so. */
    @ParameterizedTest
    @MethodSource("providers")
    void keepNoPlaces(Providers.Choice choice) throws Exception {
        ServiceOptions options = ServiceOptions.DEFAULT.withLimit(1).withLargeBytes(2 * LONG);
        try (NodePair nodes = nodes(choice);
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]), options);
                CallerByHand other = new CallerByHand(nodes.a, nodes.toB, 5);
                CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5)) {
            caller.says(Frame.CALL_LARGE, 1, LONG, Frame.NO_DEADLINE, 0);
            CallerByHand.Said go = caller.hears();
            assertThat(go.type()).isEqualTo(Frame.GO);
            // neither another call nor one of another is meant
            caller.says(Frame.REQUEST_DROPPED, 2, 0, 0, 0);
            other.says(Frame.REQUEST_DROPPED, 1, 0, 0, 0);
            other.says(Frame.CALL, 7, 0, Frame.NO_DEADLINE, 0);
            assertThat(other.hears().type()).isEqualTo(Frame.BUSY);
            assertThat(service.underWay()).isOne();
            caller.says(Frame.REQUEST_DROPPED, 1, 0, 0, 0);
            long said = System.nanoTime();
            Waits.until("its place is free", () -> service.underWay() == 0);
            assertThat(Duration.ofNanos(System.nanoTime() - said)).isLessThan(Duration.ofSeconds(10));
            assertThat(caller.hears()).returns(Frame.LATE, CallerByHand.Said::type)
                    .returns(1L, CallerByHand.Said::id);
            // it comes nevertheless, and is nobody's
            caller.sends(nodes.a.allocate(LONG), go.more()).get(20, TimeUnit.SECONDS);
            try (Caller next = Caller.open(nodes.toB, 5)) {
                assertThat(next.call(new byte[LONG]).get(20, TimeUnit.SECONDS)).hasSize(1);
            }
            assertThat(service.invalid()).isZero();
        }
    }

    /** Its caller has said so before it was announced, as it looks where two threads poll. */
    @ParameterizedTest
    @MethodSource("providers")
    void keepNoPlacesFromTheBeginning(Providers.Choice choice) throws Exception {
        try (NodePair nodes = nodes(choice);
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]));
                CallerByHand other = new CallerByHand(nodes.a, nodes.toB, 5);
                CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5)) {
            caller.says(Frame.REQUEST_DROPPED, 1, 0, 0, 0);
            other.says(Frame.REQUEST_DROPPED, 2, 0, 0, 0);
            caller.says(Frame.CALL_LARGE, 1, LONG, Frame.NO_DEADLINE, 0);
            Set<Integer> said = Set.of(caller.hears().type(), caller.hears().type());
            assertThat(said).containsExactlyInAnyOrder(Frame.GO, Frame.LATE);
            caller.says(Frame.CALL_LARGE, 2, LONG, Frame.NO_DEADLINE, 0);
            CallerByHand.Said go = caller.hears();
            assertThat(go.type()).isEqualTo(Frame.GO);
            assertThat(service.underWay()).isOne();
            caller.sends(nodes.a.allocate(LONG), go.more()).get(20, TimeUnit.SECONDS);
            assertThat(caller.hears()).returns(Frame.ANSWER, CallerByHand.Said::type)
                    .returns(2L, CallerByHand.Said::id);
        }
    }

    /** The caller is told that it could not be received: its deadline has not passed. */
    @ParameterizedTest
    @MethodSource("providers")
    void thatCannotBeReceived(Providers.Choice choice) throws Exception {
        try (NodePair nodes = nodes(choice);
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]));
                CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5)) {
            caller.says(Frame.CALL_LARGE, 1, LONG, Frame.NO_DEADLINE, 0);
            // longer than it was announced
            caller.sends(nodes.a.allocate(LONG + 1), caller.hears().more());
            assertThat(caller.hears()).returns(Frame.FAILURE, CallerByHand.Said::type)
                    .returns(1L, CallerByHand.Said::id);
            assertThat(service.underWay()).isZero();
            assertThat(service.late()).isZero();
        }
    }
}
