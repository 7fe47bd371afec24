// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static io.jfabric.async.ConnectionsTest.get;
import static io.jfabric.async.ConnectionsTest.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests for connections that nobody asks for. */
@Timeout(60)
class WaitingOffersTest {
    private static final int LIMIT = 1024;

    static Stream<Providers.Choice> tcp() {
        return Providers.offered(Providers.TCP_MSG);
    }

    /** Each has memory, and anybody may ask for one. */
    @ParameterizedTest
    @MethodSource("tcp")
    void thereAreOnlySoMany(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            List<CompletableFuture<Peer>> asked = new ArrayList<>();
            for (int i = 0; i < LIMIT; i++) {
                asked.add(client.connect(listener.address()));
            }
            // one after the other, as the server takes them in the order in which they come
            CompletableFuture<Peer> refused = null;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (refused == null && System.nanoTime() - end < 0) {
                CompletableFuture<Peer> more = client.connect(listener.address());
                asked.add(more);
                TimeUnit.MILLISECONDS.sleep(50);
                refused = asked.stream().filter(CompletableFuture::isDone).findFirst().orElse(null);
            }
            assertThat(refused).as("one of " + asked.size() + " is refused").isNotNull();
            assertThat(((FabricException) refused.exceptionNow()).error()).isEqualTo(FabricError.ECONNREFUSED);
            // those that wait are still good, and make room
            CompletableFuture<Peer> accepted = get(listener.next()).accept();
            assertThat(get(accepted).isOpen()).isTrue();
            assertThat(asked.stream().filter(CompletableFuture::isCompletedExceptionally).count())
                    .isLessThanOrEqualTo(asked.size() - LIMIT);
        }
    }
}
