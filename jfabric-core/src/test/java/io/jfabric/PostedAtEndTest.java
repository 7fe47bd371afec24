// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.Direction;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives that are posted when a connection ends, or is refused, fail, each once. */
@Timeout(90)
class PostedAtEndTest {
    private static final int RECEIVES = 3;

    private final MemorySegment in = Arena.ofAuto().allocate(RECEIVES * 100);

    private void post(Side side) {
        for (int i = 0; i < RECEIVES; i++) {
            assertThat(side.endpoint.messages().receive(in, i * 100L, 100, Address.ANY, i)).isTrue();
        }
        assertThat(side.endpoint.messages().receiveRequest().buffers(in.asSlice(0, 50), in.asSlice(50, 50))
                .post(RECEIVES)).isTrue();
    }

    private static void endEachOnce(Connected c, Side side) {
        for (long i = 0; i <= RECEIVES; i++) {
            long context = i;
            Done done = c.await(() -> side.take(d -> d.context() == context));
            assertThat(done.error()).as("receive %d", i).isNotNull();
        }
        assertThat(side.endpoint.statistics().underWay()).isZero();
        // what came twice would be there by now: the queues were read by all that follows
        side.endpoint.close();
        side.poll();
        assertThat(side.done()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void shutdownEndsThem(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side[] sides = c.connect(endpoint -> { });
            post(sides[0]);
            sides[0].endpoint.shutdown();
            endEachOnce(c, sides[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void soItDoesWhenThePeerHasEndedIt(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side[] sides = c.connect(endpoint -> { });
            post(sides[0]);
            sides[1].endpoint.close();
            assertThat(c.clientEvent()).isEqualTo(new FabricEvent.Shutdown(sides[0].endpoint));
            sides[0].endpoint.shutdown();
            endEachOnce(c, sides[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aRefusalEndsThem(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            post(client);
            client.endpoint.connect(c.listener.address());
            try (FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent()) {
                request.reject();
            }
            assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
            endEachOnce(c, client);
        }
    }

    /** It has contexts of its own. */
    @Test
    void shutdownEndsThoseOfAnAlias() {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            Side[] sides = c.connect(endpoint -> { });
            Endpoint alias = sides[0].endpoint.alias(Direction.RECEIVE, Flags.of(OperationFlag.COMPLETION));
            assertThat(alias.messages().receive(in, 0, 100, Address.ANY, 77)).isTrue();
            sides[0].endpoint.shutdown();
            assertThat(c.await(() -> sides[0].take(d -> d.context() == 77)).error()).isNotNull();
        }
    }
}
