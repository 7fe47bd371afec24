// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static io.jfabric.async.ConnectionsTest.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How connections end that were not made, and where what follows on that runs. */
@Timeout(60)
class ConnectionEndsTest {
    static Stream<Providers.Choice> msg() {
        return ConnectionsTest.msg();
    }

    /** The deadline may pass while the provider is still being asked. */
    @ParameterizedTest
    @MethodSource("msg")
    void deadlinesThatPassAtOnceAreToldByTheFuture(Providers.Choice choice) throws Exception {
        int late = 0;
        try (Node server = open(choice); NodeListener listener = server.listen();
                Node node = open(choice, NodeOptions.DEFAULT.withDeadline(Duration.ofNanos(1)))) {
            for (int i = 0; i < 200; i++) {
                CompletableFuture<Peer> connecting = node.connect(listener.address());
                try {
                    connecting.get(10, TimeUnit.SECONDS).close();
                } catch (ExecutionException why) {
                    assertThat(why).cause().isInstanceOf(FabricException.class).hasMessageContaining("FI_ETIMEDOUT");
                    late++;
                }
            }
        }
        assertThat(late).isPositive();
    }

    @ParameterizedTest
    @MethodSource("msg")
    void closingEndsThemInTheExecutor(Providers.Choice choice) throws Exception {
        List<String> threads = new CopyOnWriteArrayList<>();
        try (ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "executor"));
                Node server = open(choice); NodeListener nobody = server.listen()) {
            CompletableFuture<?> all;
            try (Node node = open(choice, NodeOptions.DEFAULT.withExecutor(executor))) {
                NodeListener first = node.listen();
                NodeListener second = node.listen();
                all = CompletableFuture.allOf(Stream.of(first.next(), second.next(), node.connect(nobody.address()))
                        .map(one -> one.handle((value, why) -> threads.add(Thread.currentThread().getName())))
                        .toArray(CompletableFuture[]::new));
                first.close();
            }
            all.get(10, TimeUnit.SECONDS);
        }
        assertThat(threads).containsExactly("executor", "executor", "executor");
    }
}
