// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives that are posted when a connection ends, or is refused, fail, each once; later ones are refused. */
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

    private void areRefused(Endpoint endpoint) {
        MemorySegment[] several = {in.asSlice(0, 50), in.asSlice(50, 50)};
        refused(() -> endpoint.messages().receive(in, Address.ANY, 1));
        refused(() -> endpoint.messages().receive(in, 0, 100, Address.ANY, 2));
        refused(() -> endpoint.messages().receive(in, 0, 0, Address.ANY, 3));
        refused(() -> endpoint.messages().receiveRequest().buffers(several).post(4));
        refused(() -> endpoint.messages().receiveRequest().buffers(in).flags(OperationFlag.COMPLETION).post(5));
        assertThat(endpoint.statistics().underWay()).isZero();
    }

    private static void refused(BooleanSupplier receive) {
        assertThatThrownBy(receive::getAsBoolean).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.ENOTCONN)).hasMessageContaining("has ended");
    }

    /** They would wait for ever, as posted or as never taken. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void afterTheEndNoneIsTaken(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side[] sides = c.connect(endpoint -> { });
            post(sides[1]);
            sides[0].endpoint.shutdown();
            areRefused(sides[0].endpoint);
            sides[0].endpoint.close();
            assertThat(c.serverEvent()).isEqualTo(new FabricEvent.Shutdown(sides[1].endpoint));
            if (choice.equals(Providers.SOCKETS_MSG)) {
                // messages may be arriving yet
                assertThat(sides[1].endpoint.messages().receive(in, Address.ANY, 9)).isTrue();
                sides[1].endpoint.shutdown();
                assertThat(c.await(() -> sides[1].take(done -> done.context() == 9)).error()).isNotNull();
            }
            c.await(() -> sides[1].done().size() > RECEIVES ? sides : null);
            areRefused(sides[1].endpoint);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void norAfterARefusal(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address());
            ((FabricEvent.ConnectionRequest) c.serverEvent()).reject();
            assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
            areRefused(client.endpoint);
        }
    }

    /** The provider has ended it, but nobody has been told. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void thoseBetweenTheEndAndItsEventFail(Providers.Choice choice) {
        assumeFalse(choice.equals(Providers.SOCKETS_MSG));
        try (Connected c = new Connected(choice)) {
            Side[] sides = c.connect(endpoint -> { });
            post(sides[0]);
            sides[1].endpoint.close();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (sides[0].done().size() <= RECEIVES && System.nanoTime() < end) {
                sides[0].poll();
            }
            boolean taken = sides[0].endpoint.messages().receive(in, Address.ANY, 9);
            assertThat(c.clientEvent()).isEqualTo(new FabricEvent.Shutdown(sides[0].endpoint));
            if (taken) {
                assertThat(c.await(() -> sides[0].take(done -> done.context() == 9)).error()).isNotNull();
            }
            areRefused(sides[0].endpoint);
        }
    }

    /** It is connected as the endpoint is. */
    @Test
    void anAliasSendsAndIsRefusedAlike() {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            Side[] sides = c.connect(endpoint -> { });
            Endpoint alias = sides[0].endpoint.alias(Direction.TRANSMIT, Flags.of(OperationFlag.COMPLETION));
            assertThat(sides[1].endpoint.messages().receive(in, Address.ANY, 5)).isTrue();
            assertThat(alias.messages().send(in.asSlice(0, 8), Address.ANY, 6)).isTrue();
            assertThat(c.await(() -> sides[1].take(done -> done.context() == 5)).error()).isNull();
            assertThat(alias.messages().receive(in, 0, 100, Address.ANY, 7)).isTrue();
            sides[0].endpoint.shutdown();
            refused(() -> alias.messages().receive(in, Address.ANY, 8));
        }
    }
}
