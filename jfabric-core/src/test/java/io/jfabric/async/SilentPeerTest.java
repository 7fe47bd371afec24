// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Endpoint;
import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that take connections and answer nothing, as stopped processes do, or hosts that were cut off: on sockets. */
@Timeout(60)
class SilentPeerTest {
    /** Entries of a domain for what was sent. */
    private static final int ENTRIES = 128;
    /** A header, and the address of who has connected. */
    private static final int GREETING = 24 + 48;

    @BeforeEach
    void offered() {
        Providers.SOCKETS.assumeOffered();
    }

    private static ServerSocket silent() throws IOException {
        return new ServerSocket(0, 2 * ENTRIES, InetAddress.getLoopbackAddress());
    }

    private static Address address(ServerSocket silent) {
        return Address.of(new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort()));
    }

    @Test
    void keepsNoOtherFromBeingReached() throws Exception {
        try (ServerSocket silent = silent(); NodePair nodes = NodePair.open(Providers.SOCKETS)) {
            Peer peer = nodes.a.peer(address(silent));
            MemorySegment letter = nodes.a.memory().allocateFrom("hello");
            for (int i = 0; i < 2 * ENTRIES; i++) {
                nodes.a.send(letter, peer, 7);
            }
            CompletableFuture<Received> mail = nodes.b.receive(nodes.b.allocate(64), 7);
            nodes.a.send(letter, nodes.toB, 7).get(10, TimeUnit.SECONDS);
            assertThat(mail.get(10, TimeUnit.SECONDS).length()).isEqualTo(letter.byteSize());
        }
    }

    /** What the table says of level 1. */
    @Test
    @Tag("long")
    void closedEndpointsKeepTheirEntries() throws Exception {
        MemorySegment memory = Arena.ofAuto().allocate(8);
        try (ServerSocket silent = silent(); Pair pair = Pair.open(Providers.SOCKETS)) {
            pair.connect();
            for (int i = 0; i < ENTRIES; i++) {
                AddressVector addresses = pair.domain.openAddressVector();
                CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
                Endpoint endpoint = pair.domain.openEndpoint(pair.info)
                        .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).enable();
                assertThat(endpoint.messages().send(memory, addresses.insert(address(silent)), 1)).isTrue();
                // until the provider is at it
                silent.accept().getInputStream().readNBytes(GREETING + 1);
                endpoint.close();
                queue.close();
                addresses.close();
            }
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 3));
            pair.progressFor(Duration.ofMillis(500));
            assertThat(pair.a.done()).isEmpty();
            assertThat(pair.b.done()).isEmpty();
        }
    }
}
