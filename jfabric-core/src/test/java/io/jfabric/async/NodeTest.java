// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.CompletionQueue;
import io.jfabric.Datatype;
import io.jfabric.FabricObject;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening, and each kind of operation once, with the data looked at. */
@Timeout(60)
class NodeTest {
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void firstProgram(String provider) {
        try (Node node = Node.open(Hints.rdm().provider(provider))) {
            Peer self = node.peer(node.address());
            MemorySegment inbox = node.allocate(64);
            CompletableFuture<Received> letter = node.receive(inbox, 7);
            node.send(node.memory().allocateFrom("Hello, fabric"), self, 7).join();
            assertThat(letter.join().length()).isEqualTo(14);
            assertThat(inbox.getString(0)).isEqualTo("Hello, fabric");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void taggedMessages(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 1000, 3);
            MemorySegment in = nodes.b.allocate(1000);
            CompletableFuture<Received> got = nodes.b.receive(in, 42);
            CompletableFuture<Void> sent = nodes.a.send(out, nodes.toB, 42);
            Received received = got.get(30, TimeUnit.SECONDS);
            sent.get(30, TimeUnit.SECONDS);
            assertThat(received.length()).isEqualTo(1000);
            assertThat(received.tag()).isEqualTo(42);
            assertThat(received.data()).isEmpty();
            assertThat(received.source()).containsSame(nodes.toA);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @Test
    void nothingOpensOnAClosedNode() {
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            nodes.a.close();
            assertThatThrownBy(() -> Service.open(nodes.a, 1, CallHandler.of(bytes -> bytes)))
                    .isInstanceOf(IllegalStateException.class).hasMessage("Service.open: the node is closed");
            assertThatThrownBy(() -> Caller.open(nodes.toB, 1))
                    .isInstanceOf(IllegalStateException.class).hasMessage("Caller.open: the node is closed");
            assertThatThrownBy(() -> KeepAlive.open(nodes.a))
                    .isInstanceOf(IllegalStateException.class).hasMessage("KeepAlive.open: the node is closed");
        }
    }

    @Test
    void saysWhatIsWrongWithMemory() {
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            assertThatThrownBy(() -> nodes.a.send(MemorySegment.ofArray(new byte[8]), nodes.toB, 5))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("it with Node.allocate");
            nodes.b.close();
            assertThatThrownBy(() -> nodes.b.allocate(8)).isInstanceOf(IllegalStateException.class)
                    .hasMessage("Node.allocate: the node is closed");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void receivesOfOnePeerNeedTheirCapability(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment in = nodes.b.allocate(8);
            for (Runnable wrong : List.<Runnable>of(() -> nodes.b.receive(in, nodes.toA),
                    () -> nodes.b.receiveMatching(in, nodes.toA, 1, 0))) {
                assertThatThrownBy(wrong::run).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("DIRECTED_RECV").hasMessageContaining(nodes.toA.toString());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aReceiveOfOnePeerLeavesTheOthersMessages(Providers.Choice choice) throws Exception {
        assumeTrue(choice.isOffered(hints -> hints.addCapabilities(Capability.DIRECTED_RECV)), "no such receives");
        try (Nodes nodes = Nodes.open(choice, hints -> hints.addCapabilities(Capability.MSG, Capability.TAGGED,
                Capability.SOURCE, Capability.DIRECTED_RECV))) {
            Peer self = nodes.b.peer(nodes.b.address());
            MemorySegment in = nodes.b.allocate(16);
            CompletableFuture<Received> own = nodes.b.receive(in.asSlice(0, 8), self, 5);
            CompletableFuture<Received> other = nodes.b.receive(in.asSlice(8, 8), nodes.toA, 5);
            nodes.a.send(Bytes.pattern(nodes.a.memory(), 8, 3), nodes.toB, 5).get(30, TimeUnit.SECONDS);
            assertThat(other.get(30, TimeUnit.SECONDS).source()).containsSame(nodes.toA);
            assertThat(own).isNotDone();
            assertThat(in.get(ValueLayout.JAVA_LONG, 0)).isZero();
            assertThat(in.get(ValueLayout.JAVA_LONG, 8)).isNotZero();
            own.cancel(true);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void untaggedMessagesAndImmediateData(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 100, 3);
            MemorySegment in = nodes.b.allocate(300);
            CompletableFuture<Received> first = nodes.b.receive(in.asSlice(0, 100));
            CompletableFuture<Received> second = nodes.b.receive(in.asSlice(100, 100));
            nodes.a.send(out, 50, 50, nodes.toB).get(30, TimeUnit.SECONDS);
            nodes.a.sendData(out, 77, nodes.toB).get(30, TimeUnit.SECONDS);
            assertThat(first.get(30, TimeUnit.SECONDS).length()).isEqualTo(50);
            assertThat(second.get(30, TimeUnit.SECONDS).data()).hasValue(77);
            assertThat(MemorySegment.mismatch(in, 0, 50, out, 50, 100)).isEqualTo(-1);
            assertThat(MemorySegment.mismatch(in, 100, 200, out, 0, 100)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void remoteMemory(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment target = nodes.b.allocate(8192);
            MemoryRegion region = nodes.b.register(target, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ);
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 4096, 5);
            MemorySegment back = nodes.a.allocate(4096);
            nodes.a.write(out, nodes.toB, region.remote(), 1000).get(30, TimeUnit.SECONDS);
            nodes.a.read(back, nodes.toB, region.remote(), 1000).get(30, TimeUnit.SECONDS);
            assertThat(back.mismatch(out)).isEqualTo(-1);
            assertThat(MemorySegment.mismatch(target, 1000, 5096, out, 0, 4096)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void numbers(Providers.Choice choice) throws Exception {
        assumeTrue(choice.isOffered(hints -> hints.capabilities(Capability.ATOMIC)), "no atomics");
        try (Nodes nodes = Nodes.open(choice, hints -> hints.capabilities(Capability.ATOMIC, Capability.RMA))) {
            MemorySegment target = nodes.b.allocate(64);
            MemoryRegion region = nodes.b.register(target, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ);
            // rxd would crash if a fetch were the first operation to a peer; jfabric says so
            nodes.a.write(nodes.a.allocate(8), nodes.toB, region.remote(), 0).get(30, TimeUnit.SECONDS);
            assertThat(nodes.a.fetchAndAdd(nodes.toB, region.remote(), 8, 5).get(30, TimeUnit.SECONDS)).isZero();
            assertThat(nodes.a.fetchAndAdd(nodes.toB, region.remote(), 8, 6).get(30, TimeUnit.SECONDS)).isEqualTo(5);
            assertThat(nodes.a.compareAndSwap(nodes.toB, region.remote(), 8, 11, 3).get(30, TimeUnit.SECONDS))
                    .isEqualTo(11);
            assertThat(nodes.a.compareAndSwap(nodes.toB, region.remote(), 8, 11, 4).get(30, TimeUnit.SECONDS))
                    .isEqualTo(3);
            if (nodes.a.endpoint().atomics().maxCount(AtomicForm.FETCH, Datatype.INT64, AtomicOp.ATOMIC_READ) > 0) {
                MemorySegment read = nodes.a.allocate(8);
                nodes.a.fetchAndApply(null, read, nodes.toB, region.remote(), 8, Datatype.INT64, AtomicOp.ATOMIC_READ)
                        .get(30, TimeUnit.SECONDS);
                assertThat(read.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(3);
            }
            long received = nodes.a.statistics().bytesReceived();
            nodes.a.close();
            assertThat(nodes.a.statistics().bytesReceived()).as("of a closed node").isEqualTo(received).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#dgram")
    void datagrams(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { })) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 1000, 3);
            MemorySegment in = nodes.b.allocate(1000);
            CompletableFuture<Received> got = nodes.b.receive(in);
            nodes.a.send(out, nodes.toB).get(30, TimeUnit.SECONDS);
            assertThat(got.get(30, TimeUnit.SECONDS).length()).isEqualTo(1000);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void itsObjectsAreNotTheProgramsToClose(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { })) {
            List<FabricObject> its = List.of(nodes.b.fabric(), nodes.b.domain(), nodes.b.endpoint(),
                    nodes.b.addressVector(), nodes.b.completionQueue());
            for (FabricObject object : its) {
                assertThatThrownBy(object::close).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is a node's: it is closed with the node");
            }
            try (CompletionQueue beside = nodes.b.domain().openCompletionQueue(CompletionFormat.TAGGED)) {
                assertThat(beside.isOpen()).isTrue();
            }
            CompletableFuture<Received> got = nodes.b.receive(nodes.b.allocate(8), 5);
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 5).get(30, TimeUnit.SECONDS);
            got.get(30, TimeUnit.SECONDS);
            nodes.b.close();
            assertThat(its).noneMatch(FabricObject::isOpen);
            its.forEach(FabricObject::close);
        }
    }

    @Test
    void itsMemoryIsNotTheProgramsToFree() {
        Nodes nodes = Nodes.open(Providers.SHM);
        MemorySegment before = nodes.a.allocate(8);
        assertThatThrownBy(() -> nodes.a.memory().close()).isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Node.memory: the arena is the node's");
        assertThat(nodes.a.memory().tryClose(Duration.ofDays(1))).as("without waiting").isFalse();
        assertThat(nodes.a.memory().tryClose()).isFalse();
        assertThat(nodes.a.allocate(8).byteSize()).isEqualTo(before.byteSize());
        nodes.close();
        assertThat(before.scope().isAlive()).isFalse();
        nodes.a.memory().close();
        assertThat(nodes.a.memory().tryClose()).isTrue();
    }

    /** The node's thread would hand it over whenever the provider is busy, and could not. */
    @Test
    void confinedMemoryIsForWhoMakesProgress() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(8);
            try (Nodes nodes = Nodes.open(Providers.SHM)) {
                MemorySegment target = nodes.b.allocate(8);
                RemoteRegion region = nodes.b.register(target, MemoryAccess.REMOTE_WRITE).remote();
                for (Runnable wrong : List.<Runnable>of(() -> nodes.a.send(own, nodes.toB),
                        () -> nodes.a.send(own, nodes.toB, 1), () -> nodes.a.sendData(own, 1, nodes.toB),
                        () -> nodes.a.receive(own), () -> nodes.a.receive(own, 1),
                        () -> nodes.a.read(own, nodes.toB, region, 0), () -> nodes.a.write(own, nodes.toB, region, 0),
                        () -> nodes.a.writeData(own, 1, nodes.toB, region, 0),
                        () -> nodes.a.apply(own, nodes.toB, region, 0, Datatype.INT64, AtomicOp.SUM),
                        () -> nodes.a.fetchAndApply(target, own, nodes.toB, region, 0, Datatype.INT64,
                                AtomicOp.SUM))) {
                    assertThatThrownBy(wrong::run).isInstanceOf(WrongThreadException.class)
                            .hasMessageContaining("confined").hasMessageContaining("Node.allocate");
                }
                assertThat(nodes.a.underWay() + nodes.a.waiting()).isZero();
            }
            try (Nodes nodes = Nodes.open(Providers.SHM, hints -> { }, NodeOptions.DEFAULT.withCallerProgress())) {
                CompletableFuture<Received> received = nodes.b.receive(own, 1);
                CompletableFuture<Void> sent = nodes.a.send(arena.allocate(8).fill((byte) 5), nodes.toB, 1);
                nodes.drive(received, sent);
                assertThat(own.get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) 5);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void closingEndsWhatIsUnderWay(Providers.Choice choice) {
        Nodes nodes = Nodes.open(choice);
        CompletableFuture<Received> never = nodes.b.receive(nodes.b.allocate(8), 1);
        CompletableFuture<Integer> derived = never.thenApply(received -> 1);
        nodes.close();
        assertThat(never).isCompletedExceptionally();
        assertThatThrownBy(derived::join).hasMessageContaining("the node was closed");
        assertThatThrownBy(() -> nodes.b.receive(MemorySegment.NULL, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(choice.type()).isEqualTo(EndpointType.RDM);
    }
}
