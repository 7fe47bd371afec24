// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of one buffer, in the queues of several connections, which are read in any order. */
@Timeout(60)
class SharedMultiReceiveTest {
    private static final long CONTEXT = 77;
    private static final int SMALL = 1000;
    /** More than the provider keeps room for. */
    private static final int LAST = 20_000;
    /** More than a connection takes while nobody reads. */
    private static final int LARGE = 20_000_000;

    static Stream<Providers.Choice> several() {
        return Providers.msg().filter(choice -> !choice.equals(Providers.TCP_MSG) || Known.since(new Version(1, 18)));
    }

    private static Connected open(Providers.Choice choice) {
        return new Connected(choice, hints -> hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT));
    }

    /** Without reading what has come. */
    private static void send(Side side, MemorySegment message) {
        assertThat(side.endpoint.messages().send(message, Address.ANY, 1)).isTrue();
    }

    private static Done await(Side receiver, Side... others) {
        long end = System.nanoTime() + 10_000_000_000L;
        while (receiver.done().isEmpty() && System.nanoTime() < end) {
            receiver.poll();
            for (Side other : others) {
                other.poll();
            }
        }
        Done done = receiver.take(d -> true);
        assertThat(done).as("a message").isNotNull();
        assertThat(done.error()).isNull();
        return done;
    }

    @ParameterizedTest
    @MethodSource("several")
    void theLastMayBeReadFirst(Providers.Choice choice) {
        for (boolean byDefault : new boolean[] {false, true}) {
            try (Connected c = open(choice); FabricInfo info = c.info().duplicate()) {
                boolean overruns = Quirks.of(choice.provider()).has(Quirk.MULTI_RECEIVE_OVERRUNS);
                if (byDefault && overruns) {
                    // refused
                    continue;
                }
                if (byDefault) {
                    info.rx().operationFlags(OperationFlag.MULTI_RECV);
                }
                SharedReceiveContext shared = c.domain.openSharedReceiveContext(info);
                if (overruns) {
                    shared.setOption(EndpointOption.MIN_MULTI_RECV, (long) LAST - SMALL);
                }
                Side[] one = c.connect(endpoint -> endpoint.bind(shared));
                Side[] two = c.connect(endpoint -> endpoint.bind(shared));
                FabricArena arena = c.domain.openArena();
                MemorySegment buffer = arena.allocate(LAST);
                assertThat(byDefault ? shared.messages().receive(buffer, Address.ANY, CONTEXT)
                        : shared.messages().receiveMulti(buffer, Address.ANY, CONTEXT)).isTrue();
                MemorySegment first = Bytes.pattern(Arena.ofAuto(), SMALL, 1);
                send(one[0], first);
                long end = System.nanoTime() + 10_000_000_000L;
                while (buffer.asSlice(0, SMALL).mismatch(first) >= 0 && System.nanoTime() < end) {
                    one[0].poll();
                    two[1].poll();
                }
                send(two[0], Bytes.pattern(Arena.ofAuto(), LAST / 2, 2));
                Done last = await(two[1], two[0]);
                assertThat(last.context()).isEqualTo(CONTEXT);
                assertThat(last.is(CompletionFlag.MULTI_RECV)).isTrue();
                assertThat(last.buffer()).isEqualTo(buffer.address() + SMALL);
                assertThatThrownBy(arena::close).as("one is unread").isInstanceOf(IllegalStateException.class);
                Done earlier = await(one[1], one[0]);
                assertThat(earlier.context()).isEqualTo(CONTEXT);
                assertThat(earlier.buffer()).isEqualTo(buffer.address());
                for (Side sender : new Side[] {one[0], two[0]}) {
                    c.await(() -> sender.take(done -> done.context() == 1));
                }
                assertThat(c.domain.statistics().operations().underWay()).isZero();
                assertThat(arena.tryClose()).as("all are read").isTrue();
            }
        }
    }

    /** A slow message is the last to arrive, and lies before one that was quick. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("several")
    void theLastToArriveMayBeTheFirst(Providers.Choice choice) {
        assumeTrue(Quirks.of(choice.provider()).has(Quirk.SHARED_ENDS_WITH_ANY), "the last lies behind all others");
        try (Connected c = open(choice)) {
            SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
            Side[] slow = c.connect(endpoint -> endpoint.bind(shared));
            Side[] quick = c.connect(endpoint -> endpoint.bind(shared));
            FabricArena arena = c.domain.openArena();
            MemorySegment buffer = arena.allocate(LARGE + LAST);
            assertThat(shared.messages().receiveMulti(buffer, Address.ANY, CONTEXT)).isTrue();
            send(slow[0], Bytes.pattern(Arena.ofAuto(), LARGE, 1).fill((byte) 7));
            long end = System.nanoTime() + 10_000_000_000L;
            while (buffer.get(ValueLayout.JAVA_BYTE, 0) == 0 && System.nanoTime() < end) {
                slow[1].poll();
            }
            send(quick[0], Bytes.pattern(Arena.ofAuto(), LAST / 2, 2));
            Done large = await(slow[1], slow[0]);
            assertThat(large.context()).isEqualTo(CONTEXT);
            assertThat(large.buffer()).isEqualTo(buffer.address());
            assertThat(large.is(CompletionFlag.MULTI_RECV)).as("the last to arrive").isTrue();
            Done small = await(quick[1], quick[0]);
            assertThat(small.context()).isEqualTo(CONTEXT);
            assertThat(small.buffer()).isEqualTo(buffer.address() + LARGE);
            for (Side sender : new Side[] {slow[0], quick[0]}) {
                c.await(() -> sender.take(done -> done.context() == 1));
            }
            assertThat(c.domain.statistics().operations().underWay()).isZero();
            assertThat(arena.tryClose()).as("all are read").isTrue();
        }
    }
}
