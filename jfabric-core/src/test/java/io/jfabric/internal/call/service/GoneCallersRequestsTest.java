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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long requests that were announced, and whose callers are gone before they have come. */
@Timeout(60)
class GoneCallersRequestsTest {
    private static final int LONG = 100_000;
    /** Of {@link CallerByHand}. */
    private static final int KEY = 42;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Their places, and their memory, are for others at once. */
    @ParameterizedTest
    @MethodSource("providers")
    void keepNoPlaces(Providers.Choice choice) throws Exception {
        ServiceOptions options = ServiceOptions.DEFAULT.withLimit(1).withLargeBytes(2 * LONG);
        try (NodePair nodes = NodePair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]), options)) {
            try (CallerByHand gone = new CallerByHand(nodes.a, nodes.toB, 5)) {
                gone.says(Frame.CALL_LARGE, 1, LONG, Frame.NO_DEADLINE, 0);
                CallerByHand.Said go = gone.hears();
                assertThat(go.type()).isEqualTo(Frame.GO);
                assertThat(service.underWay()).isOne();
                gone.says(Frame.BYE, KEY, 0, 0, 0);
                long said = System.nanoTime();
                Waits.until("its place is free", () -> service.underWay() == 0);
                assertThat(Duration.ofNanos(System.nanoTime() - said)).isLessThan(Duration.ofSeconds(10));
                // it comes nevertheless, and is nobody's
                gone.sends(nodes.a.allocate(LONG), go.more()).get(20, TimeUnit.SECONDS);
            }
            try (Caller next = Caller.open(nodes.toB, 5)) {
                assertThat(next.call(new byte[LONG]).get(20, TimeUnit.SECONDS)).hasSize(1);
            }
        }
    }
}
