// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Buffers of the node's own, as long as a provider is busy. */
@Timeout(60)
class ScratchTest {
    @Test
    void numbersThatNobodyTookAreUsedAgain() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA, Capability.ATOMIC));
                Node node = Node.open(infos.first());
                Node deaf = Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress())) {
            MemorySegment memory = deaf.allocate(8);
            MemoryRegion region = deaf.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
            PeerImpl peer = ((NodeImpl) node).peer(deaf.address());
            MemorySegment message = node.allocate(8);
            Waits.spin("the provider is busy",
                    () -> !node.endpoint().tagged().inject(message, 0, 8, peer.fabricAddress(), 1));
            Scratch scratch = ((NodeImpl) node).common().scratch();
            Set<Scratch.Cell> all = new HashSet<>();
            Waits.spin("64 cells", () -> all.add(scratch.take()) && all.size() == 64);
            assertThat(all.stream().flatMap(cell -> Stream.of(cell.operand, cell.comparand, cell.result))
                    .map(MemorySegment::address)).as("each for itself").doesNotHaveDuplicates();
            all.forEach(scratch::give);
            List<CompletableFuture<Long>> late = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                CompletableFuture<Long> change = node.within(Duration.ofMillis(30)).fetchAndAdd(peer, region.remote(),
                        0, 1);
                assertThatThrownBy(() -> change.get(20, TimeUnit.SECONDS)).cause()
                        .isInstanceOfSatisfying(FabricException.class,
                                why -> assertThat(why.error()).isEqualTo(FabricError.ETIMEDOUT));
                late.add(change);
            }
            assertThat(late).hasSize(5);
            for (int i = 0; i < 64; i++) {
                assertThat(all).as("the %dth", i).contains(scratch.take());
            }
        }
    }

    /** The provider has reported the failure, and is done with them. */
    @Test
    void numbersOfWhatFailedAreUsedAgain() throws Exception {
        try (FabricInfoList infos = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA, Capability.ATOMIC));
                Node node = Node.open(infos.first()); Node other = Node.open(infos.first())) {
            MemoryRegion region = other.register(other.allocate(8), MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE);
            PeerImpl peer = ((NodeImpl) node).peer(other.address());
            RemoteRegion gone = region.remote();
            region.close();
            Scratch scratch = ((NodeImpl) node).common().scratch();
            Set<Scratch.Cell> all = new HashSet<>();
            Waits.spin("64 cells", () -> all.add(scratch.take()) && all.size() == 64);
            all.forEach(scratch::give);
            for (int i = 0; i < 5; i++) {
                CompletableFuture<Long> change = node.fetchAndAdd(peer, gone, 0, 1);
                assertThatThrownBy(() -> change.get(20, TimeUnit.SECONDS)).cause()
                        .isInstanceOf(FabricException.class);
            }
            for (int i = 0; i < 64; i++) {
                assertThat(all).as("the %dth", i).contains(scratch.take());
            }
        }
    }
}
