// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A prefix that an info has, but the provider did not ask for: to it, that is where the message begins. */
@Timeout(60)
class AddedPrefixTest {
    private static final long PREFIX = 24;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    private static void hints(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.MULTI_RECV);
    }

    private static void addPrefix(FabricInfo info) {
        info.endpoint().messagePrefixSize(PREFIX);
        info.tx().mode(Mode.MSG_PREFIX);
        info.rx().mode(Mode.MSG_PREFIX);
    }

    /** Once, though an endpoint's info may be what the next one is opened from. */
    @ParameterizedTest
    @MethodSource("providers")
    void countsAmongTheLimits(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, AddedPrefixTest::hints, AddedPrefixTest::addPrefix);
             Endpoint again = pair.domain.openEndpoint(pair.a.endpoint.info())) {
            long most = pair.info.tx().injectSize() - PREFIX;
            assertThat(pair.domain.info().tx().injectSize()).isEqualTo(most);
            assertThat(again.info().tx().injectSize()).isEqualTo(most);
            MemorySegment out = Bytes.pattern(arena, most + 1, 1);
            MemorySegment in = arena.allocate(most + 100);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 1, 0, 1));
            assertThatThrownBy(() -> pair.a.endpoint.tagged().inject(out, pair.a.peer, 1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("inject takes at most " + most);
            pair.post(() -> pair.a.endpoint.tagged().inject(out, 0, most, pair.a.peer, 1));
            assertThat(pair.await(pair.b, 1).length()).isEqualTo(most);
            assertThat(MemorySegment.mismatch(in, 0, most, out, 0, most)).isEqualTo(-1);
            // providers would write the second message to where only the first one's prefix is
            assertThatThrownBy(() -> pair.b.endpoint.messages().receiveMulti(in, Address.ANY, 2))
                    .isInstanceOf(FabricException.class).hasMessageContaining("FI_MSG_PREFIX")
                    .hasMessageContaining("a receive for each message");
        }
    }

    /** The prefix is no second buffer, for which some providers would need a copy. */
    @ParameterizedTest
    @MethodSource("providers")
    void partsOfBuffersAreSent(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, AddedPrefixTest::hints, AddedPrefixTest::addPrefix)) {
            long size = 20_000;
            MemorySegment out = Bytes.pattern(arena, size + 200, 1);
            MemorySegment in = arena.allocate(size);
            MessageRequest request = pair.a.endpoint.messages().sendRequest().buffer(out, 100, size)
                    .peer(pair.a.peer);
            // the second shows that the first has changed nothing
            for (int i = 1; i <= 2; i++) {
                in.fill((byte) 0);
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2));
                pair.post(() -> request.post(1));
                assertThat(pair.await(pair.b, 2).length()).isEqualTo(size);
                assertThat(MemorySegment.mismatch(in, 0, size, out, 100, 100 + size)).as("message %d", i).isEqualTo(-1);
            }
        }
    }

    /** For the provider these are not empty, so they need nothing else in place of a buffer. */
    @ParameterizedTest
    @MethodSource("providers")
    void emptyReceivesHaveRoomForIt(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, AddedPrefixTest::hints, AddedPrefixTest::addPrefix)) {
            MemorySegment empty = arena.allocate(0);
            MessageRequest receive = pair.b.endpoint.messages().receiveRequest();
            List<BooleanSupplier> receives = List.of(
                    () -> receive.post(3), () -> receive.post(3),
                    () -> pair.b.endpoint.messages().receive(empty, Address.ANY, 3));
            for (BooleanSupplier one : receives) {
                pair.post(one);
                pair.post(() -> pair.a.endpoint.messages().send(empty, pair.a.peer, 4));
                assertThat(pair.await(pair.b, 3).length()).isZero();
                assertThat(pair.await(pair.a, 4).length()).isZero();
            }
        }
    }

    /** As receives do: it tells how long the buffer has to be. */
    @ParameterizedTest
    @MethodSource("providers")
    void aLookTellsTheLengthWithoutIt(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, AddedPrefixTest::hints, AddedPrefixTest::addPrefix)) {
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment out = Bytes.pattern(arena, 60, 1);
            MemorySegment in = arena.allocate(60);
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 1, 1));
            isSeen(() -> Peek.until(pair, () -> to.peek(Address.ANY, 1, 0, 2), 2));
            isSeen(() -> {
                Done seen = Peek.until(pair, () -> to.peekAndClaim(Address.ANY, 1, 0, 3), 3);
                pair.post(() -> to.claim(in, Address.ANY, 1, 0, 3));
                assertThat(pair.await(pair.b, 3).length()).isEqualTo(60);
                assertThat(in.mismatch(out)).isEqualTo(-1);
                pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 1, 1));
                return seen;
            });
            isSeen(() -> {
                Done seen = Peek.until(pair, () -> to.peekAndClaim(Address.ANY, 1, 0, 3), 3);
                pair.post(() -> to.discard(Address.ANY, 1, 0, 3));
                assertThat(pair.await(pair.b, 3).length()).isEqualTo(60);
                return seen;
            });
        }
    }

    /** Unless the provider cannot do that. */
    private static void isSeen(Supplier<Done> look) {
        try {
            assertThat(look.get().length()).isEqualTo(60);
        } catch (FabricException e) {
            assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void callsFit(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(AddedPrefixTest::hints)) {
            addPrefix(infos.first());
            try (Node a = Node.open(infos.first()); Node b = Node.open(infos.first());
                 Service _ = Service.open(b, 5, call -> call.answer(call.request()));
                 Caller caller = Caller.open(a.peer(b.address()), 5)) {
                for (int size : new int[] {4032, 16_384}) {
                    MemorySegment request = Bytes.pattern(a.memory(), size, size);
                    assertThat(caller.call(request, a.allocate(size)).get(20, TimeUnit.SECONDS).mismatch(request))
                            .as("%s bytes", size).isEqualTo(-1);
                }
            }
        }
    }

    static Stream<Providers.Choice> limited() {
        return Providers.offered(Providers.UDP);
    }

    @ParameterizedTest
    @MethodSource("limited")
    void leavesRoomForMessages(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo info = infos.first().duplicate();
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            long most = info.endpoint().maxMessageSize();
            addPrefix(info);
            try (Endpoint endpoint = domain.openEndpoint(info)) {
                assertThat(endpoint.info().endpoint().maxMessageSize()).isEqualTo(most - PREFIX);
            }
            info.endpoint().messagePrefixSize(most);
            assertThatThrownBy(() -> domain.openEndpoint(info)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fi_endpoint").hasMessageContaining("messagePrefixSize()")
                    .hasMessageContaining(most + " bytes");
        }
    }
}
