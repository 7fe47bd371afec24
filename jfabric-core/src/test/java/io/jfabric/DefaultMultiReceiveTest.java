// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Endpoints whose receives take several messages each, as a default flag says. */
@Timeout(60)
class DefaultMultiReceiveTest {
    private static final long CONTEXT = 77;
    private static final int SMALL = 1000;

    static Stream<Providers.Choice> byDefault() {
        return MultiReceiveTest.several().filter(choice -> !overruns(choice));
    }

    static Stream<Providers.Choice> overrunning() {
        return MultiReceiveTest.several().filter(DefaultMultiReceiveTest::overruns);
    }

    private static boolean overruns(Providers.Choice choice) {
        return Quirks.of(choice.provider()).hasAny(Quirk.MULTI_RECEIVE_OVERRUNS, Quirk.MULTI_RECEIVE_OVERRUNS_IN_RXM);
    }

    /** The program says beforehand how large messages are: the provider would write beyond a shorter buffer. */
    @ParameterizedTest
    @MethodSource("overrunning")
    void severalMessagesByDefault(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> {
            hints.capabilities(Capability.MSG, Capability.MULTI_RECV);
            hints.rx().operationFlags(OperationFlag.MULTI_RECV);
        }, CompletionQueueAttributes.of(CompletionFormat.DATA),
                endpoint -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, (long) SMALL))) {
            FabricArena memory = pair.domain.openArena();
            MemorySegment in = memory.allocate(3 * SMALL);
            Messages messages = pair.b.endpoint.messages();
            MessageRequest request = messages.receiveRequest().buffer(in, 0, SMALL - 1);
            for (ThrowableAssert.ThrowingCallable call : List.<ThrowableAssert.ThrowingCallable>of(
                    () -> messages.receive(in.asSlice(0, SMALL - 1), Address.ANY, CONTEXT),
                    () -> messages.receive(in, 0, SMALL - 1, Address.ANY, CONTEXT), () -> request.post(CONTEXT))) {
                assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining("MIN_MULTI_RECV");
            }
            assertThat(pair.b.endpoint.statistics().underWay()).isZero();
            pair.post(() -> messages.receive(in, SMALL / 2, 2 * SMALL, Address.ANY, CONTEXT));
            for (int i = 0; i < 2; i++) {
                MemorySegment out = Bytes.pattern(Arena.ofAuto(), SMALL, i);
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
                pair.await(pair.a, 1);
                Done done = pair.await(pair.b, CONTEXT);
                assertThat(done.buffer()).isEqualTo(in.address() + SMALL / 2 + (long) i * SMALL);
                assertThat(in.asSlice(SMALL / 2 + (long) i * SMALL, SMALL).mismatch(out)).isEqualTo(-1);
            }
            pair.until("the buffer is free", () -> {
                pair.progress();
                return memory.tryClose();
            });
        }
    }

    /** Without the option nothing is posted; with tagged messages, which may crash then, nothing is enabled. */
    @ParameterizedTest
    @MethodSource("overrunning")
    void severalMessagesByDefaultAreRefusedWhereThatIsNotSafe(Providers.Choice choice) {
        try (Pair pair = Pair.openChanged(choice, hints -> hints.capabilities(Capability.MSG, Capability.MULTI_RECV),
                info -> info.rx().operationFlags(OperationFlag.MULTI_RECV))) {
            MemorySegment in = Arena.ofAuto().allocate(SMALL);
            assertThatThrownBy(() -> pair.b.endpoint.messages().receive(in, Address.ANY, CONTEXT))
                    .hasMessageContaining("MIN_MULTI_RECV").hasMessageContaining("before enable()");
            assertThat(pair.b.endpoint.statistics().underWay()).isZero();
        }
        try (Pair pair = Pair.open(choice, MultiReceiveTest::multi)) {
            assertThatThrownBy(() -> pair.b.endpoint.setOperationFlags(Direction.RECEIVE,
                    Flags.of(OperationFlag.MULTI_RECV))).hasMessageContaining(choice.provider())
                    .hasMessageContaining("Capability.TAGGED").hasMessageContaining("receiveMulti");
        }
    }

    /** Tagged receives take one message whatever the default flags are. */
    @ParameterizedTest
    @MethodSource("byDefault")
    void receivesOfNothingWhereSeveralMessagesAreTheDefault(Providers.Choice choice) {
        try (Pair pair = Pair.openChanged(choice, MultiReceiveTest::multi,
                info -> info.rx().operationFlags(OperationFlag.MULTI_RECV))) {
            MemorySegment nothing = Arena.ofAuto().allocate(8).asSlice(0, 0);
            MultiReceiveTest.atLeastOne(() -> pair.b.endpoint.messages().receive(nothing, Address.ANY, CONTEXT));
            pair.post(() -> pair.b.endpoint.tagged().receive(nothing, Address.ANY, 7, 0, CONTEXT));
            pair.post(() -> pair.a.endpoint.tagged().send(Arena.ofAuto().allocate(SMALL), pair.a.peer, 7, 1));
            assertThat(pair.awaitError(pair.b, CONTEXT).error().error()).isEqualTo(FabricError.ETRUNC);
            assertThat(pair.b.endpoint.statistics().underWay()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("byDefault")
    void taggedReceivesTakeOneMessageWhereSeveralAreTheDefault(Providers.Choice choice) {
        try (Pair pair = Pair.openChanged(choice, MultiReceiveTest::multi,
                info -> info.rx().operationFlags(OperationFlag.MULTI_RECV))) {
            FabricArena memory = pair.domain.openArena();
            MemorySegment in = memory.allocate(SMALL);
            MemorySegment out = Arena.ofAuto().allocate(SMALL);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 7, 0, CONTEXT));
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 7, 1));
            pair.await(pair.a, 1);
            pair.await(pair.b, CONTEXT);
            assertThat(pair.b.endpoint.statistics().underWay()).isZero();
            assertThat(memory.tryClose()).as("the memory is free").isTrue();
        }
    }
}
