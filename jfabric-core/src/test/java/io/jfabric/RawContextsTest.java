// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.info.Address;
import io.jfabric.internal.context.OpenArenas;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Endpoint#rawContexts()}: contexts that go to the provider as they are. */
class RawContextsTest {
    private static final long LARGEST = Long.MAX_VALUE >> 2;
    private static final long SMALLEST = Long.MIN_VALUE >> 2;

    private final Arena arena = Arena.ofAuto();

    private static Pair open(Providers.Choice choice) {
        return Pair.open(choice, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                Endpoint::rawContexts);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void comeBackWithWhatWasMoved(Providers.Choice choice) {
        MemorySegment out = Bytes.pattern(arena, 64, 1);
        MemorySegment in = arena.allocate(64);
        try (Pair pair = open(choice)) {
            for (long context : new long[] {0, 1, 2, 3, -1, -2, 1L << 40, LARGEST - 1, LARGEST, SMALLEST,
                SMALLEST + 1}) {
                in.fill((byte) 0);
                pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 7, 0, context));
                pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 7, context));
                pair.await(pair.a, context);
                assertThat(pair.await(pair.b, context).length()).isEqualTo(64);
                assertThat(in.mismatch(out)).as("context " + context).isEqualTo(-1);
                in.fill((byte) 0);
                pair.post(() -> pair.b.endpoint.messages().receive(in, 32, 32, Address.ANY, context));
                pair.post(() -> pair.a.endpoint.messages().send(out, 32, 32, pair.a.peer, context));
                pair.await(pair.a, context);
                assertThat(pair.await(pair.b, context).length()).isEqualTo(32);
                assertThat(in.asSlice(32).mismatch(out.asSlice(32))).as("context " + context).isEqualTo(-1);
                pair.a.done().clear();
                pair.b.done().clear();
            }
        }
    }

    @Test
    void requestsHaveSlotsBesideThem() {
        MemorySegment out = Bytes.pattern(arena, 8, 1);
        MemorySegment in = arena.allocate(8);
        try (Pair pair = open(Providers.SHM)) {
            TaggedRequest request = pair.b.endpoint.tagged().receiveRequest().buffers(in).tag(7);
            pair.post(() -> request.post(Long.MAX_VALUE));
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 7, 1));
            pair.await(pair.a, 1);
            pair.await(pair.b, Long.MAX_VALUE);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void cancelledReceivesBringTheirs(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            pair.post(() -> pair.b.endpoint.tagged().receive(arena.allocate(8), Address.ANY, 9, 0, -5));
            assertThat(pair.b.endpoint.cancel(-5)).isTrue();
            assertThat(pair.awaitError(pair.b, -5).error().error()).isEqualTo(FabricError.ECANCELED);
        }
    }

    @Test
    void haveSixtyTwoBits() {
        MemorySegment buffer = arena.allocate(8);
        try (Pair pair = open(Providers.SHM)) {
            for (long context : new long[] {LARGEST + 1, SMALLEST - 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> pair.b.endpoint.tagged().receive(buffer, Address.ANY, 7, 0, context))
                        .withMessageContaining("62 bits");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> pair.a.endpoint.tagged().send(buffer, pair.a.peer, 7, context))
                        .withMessageContaining("62 bits");
            }
        }
    }

    @Test
    void areChosenBeforeTheEndpointIsInService() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            assertThatIllegalStateException().isThrownBy(pair.a.endpoint::rawContexts)
                    .withMessageContaining("enabled already");
        }
    }

    /** Nobody knows what is under way, so memory goes when the endpoint has gone. */
    @Test
    void arenasStayAsLongAsTheEndpoint() {
        try (Pair pair = open(Providers.SHM)) {
            FabricArena memory = pair.domain.openArena();
            memory.allocate(8);
            assertThatIllegalStateException().isThrownBy(memory::close).withMessageContaining("raw contexts");
            pair.a.endpoint.close();
            pair.b.endpoint.close();
            memory.close();
        }
    }

    /** Memory of any arena may be used in any domain. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void arenasOfOtherDomainsStayToo(Providers.Choice choice) {
        MemorySegment out = Bytes.pattern(arena, 8, 1);
        try (Pair owner = Pair.open(choice); Pair pair = open(choice)) {
            assumeFalse(Quirks.of(pair.info.provider()).reportUnasked(), "operations have no raw contexts");
            FabricArena memory = owner.domain.openArena();
            MemorySegment in = memory.allocate(8);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 7, 0, 1));
            assertThatIllegalStateException().isThrownBy(memory::close).withMessageContaining("raw contexts");
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 7, 2));
            pair.await(pair.b, 1);
            assertThat(in.mismatch(out)).isEqualTo(-1);
            assertThat(memory.tryClose()).isFalse();
            pair.a.endpoint.close();
            pair.b.endpoint.close();
            memory.close();
        }
    }

    /** Also that of one that is closed with its domain. */
    @Test
    void memoryOfClosedDomainsStays() {
        MemorySegment out = Bytes.pattern(arena, 8, 1);
        try (Pair pair = open(Providers.SHM)) {
            OpenArenas.Owner memory;
            long start;
            try (Domain other = pair.fabric.openDomain(pair.info)) {
                FabricArena opened = other.openArena();
                memory = (OpenArenas.Owner) opened;
                MemorySegment in = opened.allocate(8);
                start = in.address();
                pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 7, 0, 1));
            }
            assertThat(isAllocated(start, memory)).isTrue();
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 7, 2));
            pair.await(pair.b, 1);
            pair.a.endpoint.close();
            pair.b.endpoint.close();
            pair.untilWithoutProgress("it is freed", () -> !isAllocated(start, memory));
        }
    }

    /** What cannot be freed yet must not make each new arena wait until no thread is in a native call. */
    @Test
    void memoryOfClosedDomainsIsInNobodysWay() throws Exception {
        try (Pair pair = open(Providers.SHM); ExecutorService threads = Executors.newCachedThreadPool()) {
            try (Domain other = pair.fabric.openDomain(pair.info)) {
                other.openArena().allocate(8);
            }
            CountDownLatch done = new CountDownLatch(1);
            CompletableFuture<Void> inside = new CompletableFuture<>();
            Future<?> call = threads.submit(() -> ((DomainImpl) pair.domain).call(fid -> {
                inside.complete(null);
                return awaited(done);
            }));
            inside.get(20, TimeUnit.SECONDS);
            try {
                threads.submit(pair.domain::openArena).get(5, TimeUnit.SECONDS);
            } finally {
                done.countDown();
                call.get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The provider still receives into memory of a closed endpoint that others know, if they share a queue. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void arenasStayUntilTheProviderHasClosedIt(boolean raw) {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            Endpoint third = pair.domain.openEndpoint(pair.info).bind(pair.domain.openAddressVector());
            if (raw) {
                third.rawContexts().bind(pair.b.queue, BindFlag.TRANSMIT, BindFlag.RECV);
            } else {
                third.bind(pair.b.queue, BindFlag.TRANSMIT, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION);
                third.setOption(EndpointOption.MIN_MULTI_RECV, 8L);
            }
            third.enable();
            long peer = pair.a.addresses.insert(third.address().bytes());
            FabricArena memory = pair.domain.openArena();
            MemorySegment in = memory.allocate(64);
            // on shm a plain one would be reported to jfabric, as only its length shows that a message was too long
            pair.post(() -> raw ? third.messages().receive(in, Address.ANY, 3)
                    : third.messages().receiveMulti(in, Address.ANY, 3));
            // in the queue, and not yet taken from it
            pair.post(() -> pair.a.endpoint.messages().send(Bytes.pattern(arena, 8, 1), peer, 1));
            third.close();
            assertThatIllegalStateException().isThrownBy(memory::close).withMessageContaining("that know it");
            for (int i = 0; i < 100; i++) {
                pair.progress();
            }
            assertThat(memory.tryClose()).isFalse();
            pair.a.endpoint.close();
            pair.b.endpoint.close();
            assertThat(memory.tryClose()).isTrue();
        }
    }

    private static boolean isAllocated(long address, OpenArenas.Owner owner) {
        return OpenArenas.isFrom(MemorySegment.ofAddress(address).reinterpret(8), owner);
    }
}
