// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Counter;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.option.BindFlag;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations that fail with their connection are errors of their counters, each once. */
@Timeout(60)
class CountedEndsTest {
    private static final int OPERATIONS = 4;
    private static final int LONG = 32 << 20;

    static Stream<Providers.Choice> tcp() {
        return Providers.offered(Providers.TCP_MSG, new Providers.Choice("net", EndpointType.MSG));
    }

    static Stream<Providers.Choice> all() {
        return Stream.concat(tcp(), Providers.offered(Providers.SOCKETS_MSG));
    }

    private static void poll(Connected c, Side side, int operations) {
        c.await(() -> side.done().size() >= operations ? side : null);
    }

    @ParameterizedTest
    @MethodSource("all")
    void receives(Providers.Choice choice) {
        MemorySegment in = Arena.ofAuto().allocate(64);
        try (Connected c = new Connected(choice)) {
            Counter received = c.domain.openCounter();
            Counter sent = c.domain.openCounter();
            Side[] sides = c.connect(ep -> ep.bind(received, BindFlag.RECV).bind(sent, BindFlag.TRANSMIT));
            for (int i = 0; i < OPERATIONS; i++) {
                assertThat(sides[0].endpoint.messages().receive(in, Address.ANY, i)).isTrue();
            }
            // one by the program
            assertThat(sides[0].endpoint.cancel(0)).isTrue();
            poll(c, sides[0], 1);
            assertThat(received.readErrors()).isEqualTo(1);
            sides[0].endpoint.shutdown();
            poll(c, sides[0], OPERATIONS);
            assertThat(received.readErrors()).isEqualTo(OPERATIONS);
            assertThat(received.read() + sent.read() + sent.readErrors()).isZero();
        }
    }

    /** Some may have gone before the end, and one that is broken off may have another error. */
    @ParameterizedTest
    @MethodSource("tcp")
    void sends(Providers.Choice choice) {
        MemorySegment out = Arena.ofAuto().allocate(LONG);
        try (Connected c = new Connected(choice)) {
            Counter sent = c.domain.openCounter();
            Side[] sides = c.connect(ep -> ep.bind(sent, BindFlag.TRANSMIT));
            int posted = 0;
            while (posted < OPERATIONS && sides[0].endpoint.messages().send(out, Address.ANY, posted)) {
                posted++;
            }
            sides[1].endpoint.close();
            poll(c, sides[0], posted);
            assertThat(posted).isPositive();
            assertThat(sides[0].done()).anyMatch(done -> done.error() != null);
            long failed = sides[0].done().stream().map(Done::error).filter(error -> error != null).count();
            assertThat(sent.readErrors()).isEqualTo(failed);
            assertThat(sent.read()).isEqualTo(posted - failed);
        }
    }
}
