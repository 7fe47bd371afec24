// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricArena;
import io.jfabric.MemoryRegion;
import io.jfabric.Rma;
import io.jfabric.RmaRequest;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node whose hints ask for it writes until the bytes are there, and all else of it goes as ever. */
@Timeout(60)
class DeliveredTest {
    private static final int LARGEST = 2_000_000;
    private static final int[] SIZES = {8, 3_000, 100_000, LARGEST};

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    private static Nodes open(Providers.Choice choice) {
        return Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA).tx()
                .operationFlags(OperationFlag.DELIVERY_COMPLETE), NodeOptions.DEFAULT.withCallerProgress());
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aWriteIsDoneWhenItsBytesAreThere(Providers.Choice choice) {
        try (Nodes nodes = open(choice)) {
            for (int size : SIZES) {
                MemoryRegion region = nodes.b.register(nodes.b.allocate(size), MemoryAccess.REMOTE_WRITE);
                MemorySegment bytes = nodes.a.allocate(size).fill((byte) 7);
                CompletableFuture<Void> written = nodes.a.write(bytes, nodes.toB, region.remote(), 0);
                for (int i = 0; i < 100; i++) {
                    nodes.a.progress();
                }
                boolean wasDone = written.isDone();
                assertThat(wasDone && region.memory().mismatch(bytes) >= 0).as("done before it is there").isFalse();
                nodes.drive(written);
                written.join();
                assertThat(region.memory().mismatch(bytes)).isEqualTo(-1);
            }
        }
    }

    /** Writes of connected endpoints, of each kind; the queue of the other side is not looked at meanwhile. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void soIsThatOfAConnection(Providers.Choice choice) {
        try (Connected both = new Connected(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA).tx()
                .operationFlags(OperationFlag.DELIVERY_COMPLETE))) {
            Side[] sides = both.connect(endpoint -> { });
            FabricArena memory = both.domain.openArena();
            MemorySegment bytes = memory.allocate(LARGEST).fill((byte) 7);
            MemoryRegion region = sides[1].endpoint.register(memory.allocate(LARGEST), MemoryAccess.REMOTE_WRITE);
            Rma rma = sides[0].endpoint.rma();
            MemorySegment[] parts = {bytes.asSlice(0, LARGEST / 2), bytes.asSlice(LARGEST / 2)};
            RmaRequest halves = rma.writeRequest().buffers(parts).range(region.remote(), 0, LARGEST);
            List<BooleanSupplier> writes = List.of(() -> rma.write(bytes, 0, region.remote(), 0, 1),
                    () -> rma.writeData(bytes, 9, 0, region.remote(), 0, 1), () -> halves.post(1));
            for (BooleanSupplier write : writes) {
                region.memory().fill((byte) 0);
                assertThat(write.getAsBoolean()).isTrue();
                for (int i = 0; i < 1000; i++) {
                    sides[0].poll();
                }
                assertThat(!sides[0].done().isEmpty() && region.memory().mismatch(bytes) >= 0)
                        .as("done before it is there").isFalse();
                both.await(() -> sides[0].take(done -> done.context() == 1));
                assertThat(region.memory().mismatch(bytes)).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void callsGroupsAndMessagesGoOn(Providers.Choice choice) {
        try (Nodes nodes = open(choice);
                Service _ = Service.open(nodes.b, 5, CallHandler.of(request -> request));
                Caller caller = Caller.open(nodes.toB, 5)) {
            List<byte[]> addresses = List.of(nodes.a.address().bytes(), nodes.b.address().bytes());
            Group one = Group.ofAddresses(nodes.a, addresses);
            Group other = Group.ofAddresses(nodes.b, addresses);
            for (int size : SIZES) {
                CompletableFuture<byte[]> answer = caller.call(new byte[size]);
                CompletableFuture<Received> letter = nodes.b.receive(nodes.b.allocate(size), 1);
                CompletableFuture<Void> sent = nodes.a.send(nodes.a.allocate(size), nodes.toB, 1);
                nodes.drive(answer, letter, sent, one.broadcast(nodes.a.allocate(size), 0),
                        other.broadcast(nodes.b.allocate(size), 0), one.barrier(), other.barrier());
                assertThat(answer.join()).hasSize(size);
                assertThat(letter.join().length()).isEqualTo(size);
                sent.join();
            }
        }
    }
}
