// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.CompletionHandler;
import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Completions that were read with others, or by a closer, and not handed out yet: each comes once, in order. */
@Timeout(60)
class LeftInQueueTest {
    private static final int COUNT = 4;

    private final MemorySegment memory = Arena.ofAuto().allocate(8);
    private final List<Long> done = new ArrayList<>();
    private final CompletionHandler taking = completion -> done.add(completion.context());

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.SOCKETS, Providers.RXM);
    }

    private static final class Expected extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** With so many completions in the queue of the second, and nothing else. */
    private void with(Providers.Choice choice, Consumer<CompletionQueueImpl> test) {
        Consumer<Hints> none = hints -> { };
        try (Pair pair = Pair.open(choice, none, CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(WaitObject.UNSPEC), endpoint -> { }).connect()) {
            CompletionQueueImpl queue = (CompletionQueueImpl) pair.b.queue;
            // what comes first goes another way
            assertThat(queue.ignoreSources().poll(taking, 1)).isZero();
            for (int i = 1; i <= COUNT; i++) {
                long context = i;
                pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, context));
            }
            for (int i = 1; i <= COUNT; i++) {
                pair.untilWithoutProgress("it is sent", () -> {
                    pair.a.poll();
                    queue.exclusively(queue::progress);
                    return pair.a.endpoint.messages().send(memory, pair.a.peer, 9);
                });
            }
            pair.untilWithoutProgress("all are there", () -> {
                queue.exclusively(queue::progress);
                pair.a.poll();
                return pair.a.done().size() == COUNT;
            });
            test.accept(queue);
            pair.untilWithoutProgress("all have come", () -> {
                queue.poll(taking, COUNT);
                return done.size() >= COUNT;
            });
            queue.poll(taking, COUNT);
            assertThat(done).containsExactly(1L, 2L, 3L, 4L);
        }
    }

    private static void takeAside(CompletionQueueImpl queue) {
        queue.exclusively(() -> queue.takeAside(error -> false));
    }

    /** Who waits after a handler has failed gets what is left before what is new. */
    @ParameterizedTest
    @MethodSource("providers")
    void aWaitBringsWhatAFailedPollHasLeft(Providers.Choice choice) {
        with(choice, queue -> {
            assertThatThrownBy(() -> queue.poll(completion -> {
                done.add(completion.context());
                throw new Expected();
            }, 2)).isInstanceOf(Expected.class);
            assertThat(queue.await(taking, COUNT, Duration.ofSeconds(20))).isPositive();
        });
    }

    /** As where it closes an endpoint. */
    @ParameterizedTest
    @MethodSource("providers")
    void aHandlerUnderWhichTheRestIsTakenAside(Providers.Choice choice) {
        with(choice, queue -> queue.poll(completion -> {
            done.add(completion.context());
            if (done.size() == 1) {
                takeAside(queue);
            }
        }, COUNT));
    }

    /** As where two endpoints close. */
    @ParameterizedTest
    @MethodSource("providers")
    void closersOneAfterTheOther(Providers.Choice choice) {
        with(choice, queue -> {
            takeAside(queue);
            takeAside(queue);
            queue.poll(taking, 1);
            takeAside(queue);
        });
    }
}
