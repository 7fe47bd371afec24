// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Caller;
import io.jfabric.async.Group;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.TagFormat;
import io.jfabric.internal.post.TagBits;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Providers that carry fewer than 64 bits of a tag: psm3 with cqDataSize 60, cxi 48. */
class TagBitsTest {
    private static final long GENERIC = 0xAAAA_AAAA_AAAA_AAAAL;

    @Test
    void widths() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { })) {
            FabricInfo info = infos.first();
            for (int cut : new int[] {0, 1, 2, 4, 16, 24, 47}) {
                info.endpoint().memTagFormat(GENERIC >>> cut);
                assertThat(TagBits.of(info)).isEqualTo(64 - cut);
                assertThat(TagBits.missing(info)).isEqualTo(cut == 0 ? 0 : -1L << 64 - cut);
            }
            for (TagFormat named : TagFormat.values()) {
                info.endpoint().memTagFormat(named.code());
                assertThat(TagBits.of(info)).isEqualTo(64);
                assertThat(TagBits.missing(info)).isZero();
            }
        }
    }

    /** They would be cut off, and match others. */
    @Test
    void tagsThatAreTooLongAreRefused() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { })) {
            FabricInfo info = infos.first();
            info.endpoint().memTagFormat(GENERIC >>> 16);
            try (Node node = Node.open(info)) {
                MemorySegment memory = node.allocate(8);
                Peer self = node.peer(node.address());
                Endpoint endpoint = node.endpoint();
                for (long tag : new long[] {1L << 48, 1L << 60, -1}) {
                    assertThatThrownBy(() -> node.send(memory, self, tag)).hasMessageContaining("tag");
                    assertThatThrownBy(() -> endpoint.tagged().send(memory, self.fabricAddress(), tag, 1))
                            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("48 bits");
                    assertThatThrownBy(() -> endpoint.tagged().receive(memory, Address.ANY, tag, 0, 1))
                            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("48 bits");
                }
                var got = node.receive(node.allocate(8), (1L << 48) - 1);
                node.send(memory, self, (1L << 48) - 1).get(20, TimeUnit.SECONDS);
                assertThat(got.get(20, TimeUnit.SECONDS).tag()).isEqualTo((1L << 48) - 1);
            }
        }
    }

    /** The marks of the node's own messages would be lost, and the program's receives take them. */
    @Test
    void whatNeedsMoreBitsIsRefused() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { })) {
            FabricInfo info = infos.first();
            info.endpoint().memTagFormat(GENERIC >>> 2);
            try (Node node = Node.open(info)) {
                Peer self = node.peer(node.address());
                for (Runnable needs : List.<Runnable>of(() -> Group.ofAddresses(node, List.of(node.address().bytes())),
                        () -> Service.open(node, 1, call -> { }), () -> Caller.open(self, 1),
                        () -> KeepAlive.open(node, Duration.ofSeconds(1), 4))) {
                    assertThatThrownBy(needs::run).isInstanceOf(FabricException.class)
                            .hasMessageContaining("EOPNOTSUPP").hasMessageContaining("62");
                }
            }
            info.endpoint().memTagFormat(GENERIC >>> 1);
            try (Node node = Node.open(info); Group group = Group.ofAddresses(node, List.of(node.address().bytes()))) {
                assertThat(group.size()).isEqualTo(1);
            }
        }
    }

    /** It is what the program asked for, and no limit. */
    @Test
    void aFormatThatIsOnlyRepeatedIsNone() throws Exception {
        try (FabricInfoList infos = Providers.RXM.find(hints -> hints.endpoint().memTagFormat(GENERIC >>> 32));
             Node node = Node.open(infos.first());
             Group group = Group.ofAddresses(node, List.of(node.address().bytes()))) {
            assertThat(group.size()).isEqualTo(1);
            var got = node.receive(node.allocate(8), 1L << 40);
            node.send(node.allocate(8), node.peer(node.address()), 1L << 40).get(20, TimeUnit.SECONDS);
            assertThat(got.get(20, TimeUnit.SECONDS).tag()).isEqualTo(1L << 40);
        }
    }
}
