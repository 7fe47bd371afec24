// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.Direction;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What requests refuse before any provider sees it, and that one request serves any number of operations. */
class RequestTest {
    private static MemorySegment[] parts(Arena arena, long count) {
        MemorySegment[] parts = new MemorySegment[(int) count];
        Arrays.setAll(parts, i -> arena.allocate(8, 8));
        return parts;
    }

    private static void refused(String text, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(text);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void oneRequestServesManyOperations(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice).connect()) {
            MemorySegment in = arena.allocate(8 * 64, 8);
            MemorySegment out = Bytes.pattern(arena, 8 * 64, 3);
            TaggedRequest receive = pair.b.endpoint.tagged().receiveRequest().tag(5);
            TaggedRequest send = pair.a.endpoint.tagged().sendRequest().peer(pair.a.peer).tag(5);
            for (int i = 0; i < 8; i++) {
                // changed while the operations before are under way
                long context = i;
                receive.buffer(in, i * 64L, 64);
                pair.post(() -> receive.post(10 + context));
            }
            for (int i = 0; i < 8; i++) {
                long context = i;
                send.buffers(out.asSlice(i * 64L, 32), out.asSlice(i * 64L + 32, 32));
                pair.post(() -> send.post(30 + context));
            }
            for (int i = 0; i < 8; i++) {
                pair.await(pair.b, 10 + i);
                pair.await(pair.a, 30 + i);
            }
            assertThat(in.mismatch(out)).isEqualTo(-1);
            assertThat(send.owner()).isSameAs(pair.a.endpoint);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void anEmptyMessageIsOneWithoutBuffers(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice).connect()) {
            MessageRequest receive = pair.b.endpoint.messages().receiveRequest().buffers(arena.allocate(8));
            MessageRequest send = pair.a.endpoint.messages().sendRequest().peer(pair.a.peer);
            pair.post(() -> receive.post(1));
            pair.post(() -> send.post(2));
            assertThat(pair.await(pair.b, 1).length()).isZero();
            pair.await(pair.a, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void limitsAreChecked(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, h -> h.capabilities(Capability.MSG,
                Capability.TAGGED, Capability.RMA))) {
            Endpoint a = pair.a.endpoint;
            MemorySegment[] tooMany = parts(arena, pair.info.tx().iovLimit() + 1);
            refused("too many", () -> a.messages().sendRequest().buffers(tooMany));
            refused("too many", () -> a.tagged().sendRequest().buffers(tooMany));
            refused("too many", () -> a.rma().writeRequest().buffers(tooMany));
            refused("too many", () -> a.rma().readRequest().buffers(tooMany));
            MemorySegment[] tooManyIn = parts(arena, pair.info.rx().iovLimit() + 1);
            refused("too many", () -> a.messages().receiveRequest().buffers(tooManyIn));
            refused("too many", () -> a.tagged().receiveRequest().buffers(tooManyIn));
            MessageRequest large = a.messages().sendRequest().peer(pair.a.peer).flags(OperationFlag.INJECT)
                    .buffers(arena.allocate(pair.info.tx().injectSize() + 1));
            assertThatThrownBy(() -> large.post(1)).isInstanceOfSatisfying(FabricException.class,
                    e -> assertThat(e.error()).isEqualTo(FabricError.EMSGSIZE));
            RemoteRegion region = RemoteRegion.of(0, 100, 1);
            RmaRequest write = a.rma().writeRequest().range(region, 0, 8);
            assertThatThrownBy(() -> {
                for (long i = 0; i < pair.info.tx().rmaIovLimit(); i++) {
                    write.addRange(region, 0, 8);
                }
            }).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("remote ranges");
            if (pair.info.tx().rmaIovLimit() > 1) {
                RemoteRegion absurd = RemoteRegion.of(0, Long.MAX_VALUE, 1);
                RmaRequest more = a.rma().writeRequest().range(absurd, 0, Long.MAX_VALUE);
                refused("ranges have more than", () -> more.addRange(absurd, 0, 8));
            }
            MemorySegment absurd = arena.allocate(8).reinterpret(Long.MAX_VALUE);
            if (pair.info.tx().iovLimit() > 1) {
                refused("buffers have more than", () -> a.rma().writeRequest().buffers(absurd, absurd));
            }
            assertThatThrownBy(() -> write.range(region, 93, 8)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> write.range(region, Long.MAX_VALUE, 8))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> write.range(region, 8, -8)).isInstanceOf(IndexOutOfBoundsException.class);
            refused("remote ranges 100", () -> write.range(region, 0, 100).buffers(arena.allocate(99))
                    .peer(pair.a.peer).post(1));
            refused("address vector", () -> a.messages().sendRequest().post(1));
            refused("one buffer", () -> a.messages().receiveRequest().flags(OperationFlag.MULTI_RECV)
                    .buffers(arena.allocate(8), arena.allocate(8)).post(1));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aRangeThatIsRefusedLeavesTheRequestAsItWas(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice).connect()) {
            MemorySegment there = arena.allocate(64, 8);
            MemorySegment here = Bytes.pattern(arena, 8, 5);
            RemoteRegion region = pair.b.endpoint.register(there, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ)
                    .remote();
            // of another provider: its key cannot be mapped
            RemoteRegion foreign = RemoteRegion.ofRaw(0, 64, 0, new byte[] {1, 2, 3});
            RmaRequest write = pair.a.endpoint.rma().writeRequest().buffers(here).peer(pair.a.peer)
                    .range(region, 8, 8).flags(OperationFlag.COMPLETION, OperationFlag.DELIVERY_COMPLETE);
            pair.post(() -> write.post(1));
            pair.await(pair.a, 1);
            there.fill((byte) 0);
            assertThatThrownBy(() -> write.range(foreign, 0, 8)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_mr_map_raw");
            pair.post(() -> write.post(2));
            pair.await(pair.a, 2);
            assertThat(there.asSlice(8, 8).mismatch(here)).isEqualTo(-1);

            if (!pair.info.capabilities().contains(Capability.ATOMIC)) {
                // not every provider offers them with the rest
                return;
            }
            AtomicRequest sum = pair.a.endpoint.atomics().request(AtomicForm.FETCH, Datatype.INT64, AtomicOp.SUM)
                    .buffers(here).results(arena.allocate(8, 8)).peer(pair.a.peer).target(region, 16, 8);
            pair.post(() -> sum.post(3));
            pair.await(pair.a, 3);
            there.fill((byte) 0);
            assertThatThrownBy(() -> sum.target(foreign, 0, 8)).isInstanceOf(FabricException.class);
            pair.post(() -> sum.post(4));
            pair.await(pair.a, 4);
            assertThat(there.asSlice(16, 8).mismatch(here)).isEqualTo(-1);
        }
    }

    @Test
    void flagsThatMeanNothingToAnOperationAreRefused() {
        try (Pair pair = Pair.open(Providers.SHM, h -> h.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA, Capability.ATOMIC))) {
            Endpoint a = pair.a.endpoint;
            refused("FI_INJECT", () -> a.rma().readRequest().flags(OperationFlag.INJECT));
            refused("FI_REMOTE_CQ_DATA", () -> a.rma().readRequest().flags(OperationFlag.REMOTE_CQ_DATA));
            refused("immediate data", () -> a.rma().readRequest().data(1));
            refused("immediate data", () -> a.messages().receiveRequest().data(1));
            refused("FI_PEEK", () -> a.messages().receiveRequest().flags(OperationFlag.PEEK));
            refused("peekAndClaim", () -> a.tagged().receiveRequest().flags(OperationFlag.CLAIM));
            refused("FI_MULTI_RECV", () -> a.tagged().receiveRequest().flags(OperationFlag.MULTI_RECV));
            refused("FI_MULTI_RECV", () -> a.messages().sendRequest().flags(OperationFlag.MULTI_RECV));
            refused("FI_MULTICAST", () -> a.tagged().sendRequest().flags(OperationFlag.MULTICAST));
            refused("Trigger.post", () -> a.messages().sendRequest().flags(OperationFlag.TRIGGER));
            refused("0x4000000000000000", () -> a.messages().sendRequest()
                    .flags(Flags.ofBits(OperationFlag.class, 1L << 62)));
            refused("cannot ignore bits", () -> a.tagged().sendRequest().ignore(1));
            AtomicRequest sum = a.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM);
            refused("immediate data", () -> sum.data(1));
            refused("no results", () -> sum.results(MemorySegment.NULL));
            refused("compares with nothing", () -> sum.comparands(MemorySegment.NULL));
            assertThatThrownBy(() -> a.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.CSWAP))
                    .isInstanceOf(FabricException.class).hasMessageContaining("no CSWAP");
            assertThatThrownBy(() -> a.atomics().request(AtomicForm.COMPARE, Datatype.INT64, AtomicOp.SUM))
                    .isInstanceOf(FabricException.class).hasMessageContaining("no SUM");
            refused("default flag", () -> a.setOperationFlags(Direction.TRANSMIT, Flags.of(OperationFlag.TRIGGER)));
            for (OperationFlag look : List.of(OperationFlag.PEEK, OperationFlag.CLAIM, OperationFlag.DISCARD)) {
                refused("default flag", () -> a.setOperationFlags(Direction.RECEIVE, Flags.of(look)));
                refused("default flag", () -> a.alias(Direction.RECEIVE, Flags.of(look)));
            }
        }
    }

    @Test
    void theCapabilityThatIsLackingIsNamed() {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.RXM,
                h -> h.capabilities(Capability.MSG))) {
            MemorySegment buffer = arena.allocate(8);
            assertThatThrownBy(() -> pair.a.endpoint.tagged().send(buffer, pair.a.peer, 1, 1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("Capability.TAGGED");
            assertThatThrownBy(() -> pair.a.endpoint.tagged().receive(buffer, Address.ANY, 1, 0, 1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("Capability.TAGGED");
            assertThatThrownBy(() -> pair.a.endpoint.rma().writeRequest().peer(pair.a.peer).buffers(buffer)
                    .range(RemoteRegion.of(0, 8, 1), 0, 8).post(1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("Capability.RMA");
        }
    }

    @Test
    void memoryIsLookedAtByEachPost() throws InterruptedException {
        try (Pair pair = Pair.open(Providers.SHM); Arena mine = Arena.ofConfined()) {
            Arena arena = Arena.ofShared();
            MessageRequest send = pair.a.endpoint.messages().sendRequest().peer(pair.a.peer)
                    .buffers(arena.allocate(8), arena.allocate(8));
            arena.close();
            assertThatThrownBy(() -> send.post(1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            MemorySegment confined = mine.allocate(8);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread other = new Thread(() -> {
                try {
                    pair.a.endpoint.messages().send(confined, pair.a.peer, 1);
                } catch (WrongThreadException e) {
                    thrown.set(e);
                }
            });
            other.start();
            other.join();
            assertThat(thrown.get()).hasMessageContaining("confined to another thread");
            pair.a.endpoint.close();
            send.buffers();
            assertThatThrownBy(() -> send.post(1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void regionsThatWrapAreRefused() {
        refused("base and length", () -> RemoteRegion.of(-8, 16, 1));
        refused("more than there is memory", () -> RemoteRegion.of(0, Long.MIN_VALUE, 1));
        byte[] bytes = RemoteRegion.of(16, 8, 1).toBytes();
        Arrays.fill(bytes, 4, 12, (byte) 0xFF);
        refused("base and length", () -> RemoteRegion.of(bytes));
        assertThat(RemoteRegion.of(-8, 8, 1).byteSize()).isEqualTo(8);
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SHM,
                h -> h.capabilities(Capability.MSG, Capability.RMA))) {
            MemoryRegion region = pair.domain.register(arena.allocate(64), MemoryAccess.REMOTE_WRITE);
            Rma rma = pair.a.endpoint.rma();
            MemorySegment out = arena.allocate(8);
            for (long offset : new long[] {-1, 57, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 7}) {
                assertThatThrownBy(() -> rma.write(out, pair.a.peer, region.remote(), offset, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> rma.write(out, offset, 8, pair.a.peer, region.remote(), 0, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }
}
