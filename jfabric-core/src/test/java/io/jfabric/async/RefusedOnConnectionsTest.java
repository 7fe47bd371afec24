// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What connections do not have is refused with what to do. */
@Timeout(60)
class RefusedOnConnectionsTest {
    /** As {@code Hints.msg()} opens them. */
    private static Node open(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
            return Node.open(infos.first());
        }
    }

    private static void isRefused(CompletableFuture<?> future, String remedy) {
        assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS)).cause()
                .isInstanceOfSatisfying(FabricException.class,
                        why -> assertThat(why.error()).isEqualTo(FabricError.EOPNOTSUPP))
                .hasMessageContaining("on the connection with").hasMessageContaining(remedy);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.async.ConnectionsTest#msg")
    void saysWhatToDo(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            Peer peer = ConnectionsTest.Connection.make(client, listener).atClient();
            MemorySegment letter = client.allocate(8);
            for (CompletableFuture<?> tagged : List.of(client.send(letter, peer, 5),
                    client.send(List.of(letter, letter), peer, 5), client.sendData(letter, 1, peer, 5),
                    client.receive(letter, peer, 5))) {
                isRefused(tagged, "carries no tags: send and receive without one");
            }
            isRefused(client.fetchAndAdd(peer, RemoteRegion.of(0, 8, 1), 0, 1), "ask for Capability.ATOMIC");
        }
    }
}
