// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What jfabric does for providers that demand registered local memory and a message prefix. No software provider
 * does, so their infos are edited to say so: the registrations are real, and what is in the prefix is up to us. The
 * real demand is tested on verbs, see {@code scripts/test-verbs}.
 */
class LocalBuffersTest {
    private static final long PREFIX = 24;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    private static void hints(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA);
    }

    static void demandRegistration(FabricInfo info) {
        info.domain().mrMode(Flags.ofBits(MrMode.class, info.domain().mrMode().bits() | MrMode.LOCAL.code()));
    }

    static void demandPrefix(FabricInfo info) {
        info.endpoint().messagePrefixSize(PREFIX);
        info.tx().mode(Flags.of(Mode.MSG_PREFIX));
        info.rx().mode(Flags.of(Mode.MSG_PREFIX));
    }

    private static void demandBoth(FabricInfo info) {
        demandRegistration(info);
        demandPrefix(info);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void registersWhatTheUserHasNot(Providers.Choice choice) {
        exchange(choice, LocalBuffersTest::demandRegistration, false);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void usesWhatTheUserHasRegistered(Providers.Choice choice) {
        exchange(choice, LocalBuffersTest::demandRegistration, true);
    }

    /** The provider's own is one of as many as it takes. */
    @ParameterizedTest
    @MethodSource("providers")
    void thePrefixTakesTheRoomOfABuffer(Providers.Choice choice) {
        try (Pair pair = Pair.openChanged(choice, LocalBuffersTest::hints, LocalBuffersTest::demandPrefix);
                Arena arena = Arena.ofConfined()) {
            int limit = (int) pair.info.tx().iovLimit();
            assertThat(limit).isGreaterThan(2);
            MemorySegment[] buffers = new MemorySegment[limit];
            Arrays.setAll(buffers, i -> arena.allocate(1));
            MessageRequest request = pair.a.endpoint.messages().sendRequest();
            assertThatThrownBy(() -> request.buffers(buffers)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most " + (limit - 1)).hasMessageContaining("less 1 that jfabric adds");
            request.buffers(Arrays.copyOf(buffers, limit - 1));
        }
    }

    /** Of the endpoint and of the domain; for that of regions see {@link BasicRegionsTest}. */
    @ParameterizedTest
    @MethodSource("providers")
    void theOldModesDemandTheSame(Providers.Choice choice) {
        List<Consumer<FabricInfo>> demands = List.of(info -> info.mode(info.mode().with(Mode.LOCAL_MR)),
                info -> info.domain().mode(info.domain().mode().with(Mode.LOCAL_MR)));
        for (Consumer<FabricInfo> demand : demands) {
            try (Pair pair = Pair.openChanged(choice, LocalBuffersTest::hints, demand)) {
                assertThat(((DomainImpl) pair.domain).state().registersLocally()).isTrue();
            }
            exchange(choice, demand, false);
            exchange(choice, demand, true);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void addsPrefixes(Providers.Choice choice) {
        exchange(choice, LocalBuffersTest::demandPrefix, false);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void registersPrefixes(Providers.Choice choice) {
        exchange(choice, LocalBuffersTest::demandBoth, true);
    }

    /** Each buffer's descriptor is followed then, also of what jfabric adds to a receive. */
    @ParameterizedTest
    @MethodSource("providers")
    void longMessages(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, LocalBuffersTest::hints, LocalBuffersTest::demandRegistration)) {
            MemorySegment out = arena.allocate(200_000).fill((byte) 7);
            MemorySegment in = arena.allocate(200_000);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 1, 0, 1));
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 1, 2));
            assertThat(pair.awaitAny(pair.b, done -> done.context() == 1).error()).isNull();
            assertThat(in.mismatch(out)).isEqualTo(-1);
            pair.awaitAny(pair.a, done -> done.context() == 2);
            pair.post(() -> pair.b.endpoint.messages().receive(in.asSlice(0, 100_000), Address.ANY, 3));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 4));
            assertThat(pair.awaitAny(pair.b, done -> done.context() == 3).error()).isNotNull();
        }
    }

    /** Nothing would tell until when they are needed. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatIsNotReportedIsRefusedAndLeavesNothing(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, LocalBuffersTest::hints, LocalBuffersTest::demandBoth)) {
            assumeFalse(Quirks.of(pair.info.provider()).reportUnasked(), "it reports all");
            Endpoint endpoint = silent(pair);
            MemorySegment out = arena.allocate(100);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> endpoint.tagged().send(out, pair.a.peer, 1, 2))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("ask for completions");
            }
            endpoint.close();
            // the domain cannot be closed with regions
        }
    }

    /** A device cannot write to a region of which it was told to read only. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatAnOperationFillsIsNoRegionToReadFrom(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.openChanged(choice, LocalBuffersTest::hints, LocalBuffersTest::demandRegistration)) {
            assumeFalse(Quirks.of(pair.info.provider()).reportUnasked(), "it reports all");
            try (Endpoint endpoint = silent(pair)) {
                MemorySegment memory = arena.allocate(100);
                RemoteRegion remote = pair.b.endpoint.register(arena.allocate(100), MemoryAccess.REMOTE_READ)
                        .remote();
                pair.domain.register(memory, MemoryAccess.SEND, MemoryAccess.REMOTE_READ);
                pair.post(() -> endpoint.tagged().send(memory, pair.a.peer, 1, 2));
                assertThatThrownBy(() -> endpoint.rma().read(memory, pair.a.peer, remote, 0, 2))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("Domain.register");
                pair.domain.register(memory, MemoryAccess.READ);
                pair.post(() -> endpoint.rma().read(memory, pair.a.peer, remote, 0, 2));
            }
        }
    }

    /** One more endpoint, which reports no sends unless asked. */
    static Endpoint silent(Pair pair) {
        CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
        return pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.RECV)
                .bind(queue, BindFlag.TRANSMIT, BindFlag.SELECTIVE_COMPLETION).bind(pair.a.addresses).enable();
    }

    private static void exchange(Providers.Choice choice, Consumer<FabricInfo> change, boolean registered) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.openChanged(choice, LocalBuffersTest::hints, change)) {
            MemorySegment memory = arena.allocate(4096, 8);
            if (registered) {
                pair.a.endpoint.register(memory, MemoryAccess.SEND, MemoryAccess.RECV, MemoryAccess.WRITE);
            }
            MemorySegment out = memory.asSlice(0, 100);
            MemorySegment in = memory.asSlice(1000, 200);
            out.fill((byte) 7);
            // more than one round: what is used again must be as good as new
            for (int round = 0; round < 3; round++) {
                in.fill((byte) 0);
                pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 5, 0, 1));
                pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 2));
                arrived(pair, in, out, 100);
                pair.await(pair.a, 2);

                in.fill((byte) 0);
                MessageRequest receive = pair.b.endpoint.messages().receiveRequest()
                        .buffers(in.asSlice(0, 30), in.asSlice(30, 100));
                MessageRequest send = pair.a.endpoint.messages().sendRequest().peer(pair.a.peer)
                        .buffers(out.asSlice(0, 60), out.asSlice(60, 40));
                pair.post(() -> receive.post(1));
                pair.post(() -> send.post(2));
                arrived(pair, in, out, 100);
                pair.await(pair.a, 2);

                in.fill((byte) 0);
                pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 6, 0, 1));
                pair.post(() -> pair.a.endpoint.tagged().inject(out, 1, 20, pair.a.peer, 6));
                arrived(pair, in, out, 20);
            }
        }
    }

    private static void arrived(Pair pair, MemorySegment in, MemorySegment out, long length) {
        Done done = pair.await(pair.b, 1);
        assertThat(done.length()).isEqualTo(length);
        assertThat(MemorySegment.mismatch(in, 0, length, out, 0, length)).isEqualTo(-1);
    }
}
