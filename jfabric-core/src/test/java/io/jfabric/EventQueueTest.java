// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Event queues by themselves: the application's own events, on every provider. */
class EventQueueTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private interface Body {
        void run(Fabric fabric, EventQueue queue) throws Exception;
    }

    private static void with(Providers.Choice choice, EventQueueAttributes attributes, Body body) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             EventQueue queue = fabric.openEventQueue(attributes)) {
            body.run(fabric, queue);
        }
    }

    private static FabricEvent.Notify notify(int type, FabricObject source, long context, long data) {
        return new FabricEvent.Notify(type, source, context, data);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void eventsComeInTheOrderTheyWereWritten(Providers.Choice choice) throws Exception {
        with(choice, EventQueueAttributes.DEFAULT, (fabric, queue) -> {
            assertThat(queue.poll()).isEmpty();
            queue.write(0, null, 1, -2);
            queue.write(1000, fabric, Long.MIN_VALUE, Long.MAX_VALUE);
            assertThat(queue.poll()).contains(notify(0, null, 1, -2));
            assertThat(queue.poll()).contains(notify(1000, fabric, Long.MIN_VALUE, Long.MAX_VALUE));
            assertThat(queue.poll()).isEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void peekLeavesTheEvent(Providers.Choice choice) throws Exception {
        with(choice, EventQueueAttributes.DEFAULT, (fabric, queue) -> {
            assertThat(queue.peek()).isEmpty();
            assertThat(queue.peek(Duration.ofMillis(20))).isEmpty();
            queue.write(7, null, 3, 4);
            assertThat(queue.peek(LONG)).contains(notify(7, null, 3, 4));
            assertThat(queue.peek()).contains(notify(7, null, 3, 4));
            assertThat(queue.poll()).contains(notify(7, null, 3, 4));
            assertThat(queue.peek()).isEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void aWriteWakesTheWaitingThread(Providers.Choice choice) throws Exception {
        with(choice, EventQueueAttributes.DEFAULT, (fabric, queue) -> {
            assertThat(queue.await(Duration.ofMillis(20))).isEmpty();
            CompletableFuture<FabricEvent> waiting = new CompletableFuture<>();
            Thread waiter = Thread.ofPlatform().daemon().start(() -> waiting.complete(queue.await(LONG).orElse(null)));
            boolean blocks = Threads.awaitInside(waiter, "sread", "awaitByPolling").equals("sread");
            assertThat(queue.poll()).isEmpty();
            queue.write(9, null, 1, 2);
            if (blocks) {
                assertThat(queue.poll()).as("the thread that waits is the reader").isEmpty();
            }
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(notify(9, null, 1, 2));
        });
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void whatCannotBeWrittenIsRefused(Providers.Choice choice) throws Exception {
        with(choice, EventQueueAttributes.DEFAULT, (fabric, queue) ->
                // its entry has a pointer that would be followed
                assertThatThrownBy(() -> queue.write(1, null, 1, 1)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("type 1 is one of libfabric"));
        with(choice, EventQueueAttributes.DEFAULT, (fabric, queue) ->
                with(choice, EventQueueAttributes.DEFAULT, (another, events) ->
                        assertThatThrownBy(() -> queue.write(7, another, 1, 1))
                                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another fabric")));
        with(choice, EventQueueAttributes.DEFAULT.withWritable(false), (fabric, queue) ->
                assertThatThrownBy(() -> queue.write(0, null, 1, 1)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("writable"));
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void aDomainKeepsItsQueueOpen(Providers.Choice choice) throws Exception {
        with(choice, EventQueueAttributes.DEFAULT, (fabric, queue) -> {
            try (FabricInfoList infos = choice.find(hints -> { }); Domain domain = fabric.openDomain(infos.first())) {
                try {
                    assertThat(domain.bind(queue)).isSameAs(domain);
                } catch (FabricException lacking) {
                    assertThat(lacking.error()).as(lacking.getMessage()).isEqualTo(FabricError.ENOSYS);
                    assertThat(choice).isNotIn(Providers.SOCKETS, Providers.SOCKETS_DGRAM, Providers.SOCKETS_MSG,
                            Providers.TCP_MSG);
                    return;
                }
                assertThatThrownBy(() -> domain.bind(queue)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("event queue already");
                assertThatThrownBy(queue::close).isInstanceOf(FabricException.class).hasMessageContaining("EBUSY");
            }
        });
    }
}
