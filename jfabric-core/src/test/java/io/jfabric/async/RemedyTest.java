// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Loopback;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a node's operation fails with names the peer and what to look for, also where the provider does not. */
@Timeout(60)
class RemedyTest {
    private static final NodeOptions SHORT = NodeOptions.DEFAULT.withDeadline(Duration.ofSeconds(1));

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void anAddressWhereNobodyListens(Providers.Choice choice) {
        assumeTrue(choice.usesNetwork());
        try (FabricInfoList infos = choice.find(hints -> { });
                Node node = Node.open(infos.first(), SHORT)) {
            Address closed;
            try (Node other = Node.open(infos.first())) {
                closed = other.address();
            }
            MemorySegment letter = node.allocate(8);
            assertThatThrownBy(() -> node.send(letter, node.peer(closed.bytes()), 5).get(30, TimeUnit.SECONDS)).cause()
                    .isInstanceOf(FabricException.class).hasMessageStartingWith("send of 8 bytes with tag 5 to ")
                    .hasMessageContaining(Loopback.own()).hasMessageContaining("the peer");
        }
    }

    @Test
    void aNodeOfThisProcessThatIsClosed() {
        assumeTrue(Providers.SHM.isOffered());
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first(), SHORT)) {
            Peer peer;
            try (Node other = Node.open(infos.first())) {
                peer = node.peer(other.address());
            }
            MemorySegment letter = node.allocate(8);
            assertThatThrownBy(() -> node.send(letter, peer, 5).get(30, TimeUnit.SECONDS)).cause()
                    .isInstanceOf(FabricException.class)
                    .hasMessageStartingWith("send of 8 bytes with tag 5 to " + peer + ": FI_EHOSTDOWN")
                    .hasMessageContaining("is it running").cause().hasMessageContaining("which was closed");
        }
    }

    @Test
    void whatHasArrivedSaysItsTagAsFailuresDo() {
        assumeTrue(Providers.SHM.isOffered());
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            for (long tag : new long[] {7, 5L << 40}) {
                CompletableFuture<Received> receive = nodes.b.receive(nodes.b.allocate(8), tag);
                nodes.a.send(nodes.a.allocate(3), nodes.toB, tag);
                nodes.drive(receive);
                assertThat(receive.join()).hasToString("Received[3 bytes, tag " + (tag == 7 ? "7" : "0x50000000000")
                        + ", from " + nodes.toA + "]");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aRegionThatIsNotForReading(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA), SHORT)) {
            MemoryRegion region = nodes.b.register(nodes.b.allocate(64), MemoryAccess.REMOTE_WRITE);
            CompletableFuture<Void> read = nodes.a.read(nodes.a.allocate(8), nodes.toB, RemoteRegion.of(
                    region.remote().toBytes()), 0);
            nodes.drive(read);
            // not all providers look
            if (read.isCompletedExceptionally()) {
                assertThat(read.exceptionNow()).isInstanceOf(FabricException.class)
                        .hasMessageStartingWith("read of 8 bytes at offset 0 from ").hasMessageContaining("REMOTE_READ")
                        .hasMessageContaining("with this key").satisfies(RemedyTest::saysNothingTwice);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aRegionThatIsNotForWriting(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA), SHORT)) {
            MemoryRegion region = nodes.b.register(nodes.b.allocate(64), MemoryAccess.REMOTE_READ);
            CompletableFuture<Void> write = nodes.a.write(nodes.a.allocate(8), nodes.toB, RemoteRegion.of(
                    region.remote().toBytes()), 16);
            nodes.drive(write);
            // not all providers look
            if (write.isCompletedExceptionally()) {
                assertThat(write.exceptionNow()).isInstanceOf(FabricException.class)
                        .hasMessageStartingWith("write of 8 bytes at offset 16 to ")
                        .hasMessageContaining("REMOTE_WRITE").satisfies(RemedyTest::saysNothingTwice);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aRegionThatIsNotForAtomics(Providers.Choice choice) {
        assumeTrue(choice.isOffered(hints -> hints.capabilities(Capability.ATOMIC, Capability.RMA)),
                choice + " has no atomics");
        try (Nodes nodes = Nodes.open(choice, hints -> hints.capabilities(Capability.ATOMIC, Capability.RMA), SHORT)) {
            MemoryRegion region = nodes.b.register(nodes.b.allocate(64), MemoryAccess.REMOTE_READ);
            CompletableFuture<Void> sum = nodes.a.apply(nodes.a.allocate(8), nodes.toB, RemoteRegion.of(
                    region.remote().toBytes()), 16, Datatype.INT64, AtomicOp.SUM);
            nodes.drive(sum);
            // not all providers look
            if (sum.isCompletedExceptionally()) {
                assertThat(sum.exceptionNow()).isInstanceOf(FabricException.class)
                        .hasMessageStartingWith("atomic SUM of INT64 at offset 16 ")
                        .satisfies(RemedyTest::saysNothingTwice);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aMessageThatIsTooLong(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED), SHORT)) {
            CompletableFuture<Received> receive = nodes.b.receive(nodes.b.allocate(8), 7);
            nodes.a.send(nodes.a.allocate(64), nodes.toB, 7);
            nodes.drive(receive);
            assertThat(receive.exceptionNow()).hasMessageStartingWith("receive of at most 8 bytes with tag 7")
                    .hasMessageContaining("FI_ETRUNC").satisfies(RemedyTest::saysNothingTwice);
        }
    }

    /** Nor of a failure that was another. */
    private static void saysNothingTwice(Throwable failure) {
        assertThat(failure.getMessage()).doesNotContain("No such file").doesNotContain("provider: Truncation")
                .doesNotContain("provider: Operation");
    }

    @Test
    void tagsOfManyBitsAreHexadecimal() {
        assumeTrue(Providers.RXM.isOffered());
        try (Nodes nodes = Nodes.open(Providers.RXM, hints -> { }, SHORT)) {
            MemorySegment room = nodes.b.allocate(8);
            assertThatThrownBy(() -> nodes.b.within(Duration.ofMillis(1)).receive(room, 5L << 40).get(30,
                    TimeUnit.SECONDS)).cause().hasMessageContaining(" with tag 0x50000000000: ");
            assertThatThrownBy(() -> nodes.b.receive(room, -1)).hasMessageContaining("0 to 2^61 - 1");
        }
    }

    @Test
    void anAddressThatIsTaken() {
        assumeTrue(Providers.RXM.isOffered());
        try (FabricInfoList infos = Providers.RXM.find(hints -> { }); Node node = Node.open(infos.first());
                FabricInfo same = infos.first().duplicate().sourceAddress(node.address())) {
            assertThatThrownBy(() -> Node.open(same)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_EADDRINUSE").hasMessageContaining(node.address().toString());
        }
    }
}
