// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A queue that is full of messages from several peers tells of each from whom it is. */
@Timeout(90)
class ManySourcesTest {
    private static final int MESSAGES = 110_000;

    @Tag("long")
    @ParameterizedTest
    @EnumSource(names = {"MSG", "DATA", "TAGGED"})
    void unreadForLong(CompletionFormat format) {
        try (Pair pair = Pair.open(Providers.SOCKETS, hints -> hints.capabilities(Capability.MSG, Capability.SOURCE),
                CompletionQueueAttributes.of(format), endpoint -> { }); Arena arena = Arena.ofShared()) {
            Side third = Side.open(pair.domain, pair.info);
            third.peer = third.addresses.insert(pair.a.endpoint.address().bytes());
            long fromThird = pair.a.addresses.insert(third.endpoint.address().bytes());
            MemorySegment in = arena.allocate(4L * MESSAGES);
            MemorySegment out = arena.allocate(4L * MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                int number = i;
                assertThat(pair.a.endpoint.messages().receive(in.asSlice(4L * i, 4), Address.ANY, i)).isTrue();
                Side from = i % 3 == 0 ? third : pair.b;
                out.set(ValueLayout.JAVA_INT, 4L * i, i);
                MemorySegment message = out.asSlice(4L * i, 4);
                pair.untilWithoutProgress("it is sent", () -> {
                    drain(from);
                    return from.endpoint.messages().send(message, from.peer, number);
                });
                drain(from);
            }
            int[] received = new int[1];
            pair.untilWithoutProgress("all are received", () -> {
                pair.a.queue.poll(completion -> {
                    int number = in.get(ValueLayout.JAVA_INT, 4 * completion.context());
                    assertThat(completion.source()).as("message %d", number)
                            .isEqualTo(number % 3 == 0 ? fromThird : pair.a.peer);
                    received[0]++;
                }, 64);
                drain(third);
                drain(pair.b);
                return received[0] == MESSAGES;
            });
        }
    }

    private static void drain(Side side) {
        side.queue.poll(completion -> { }, 64);
    }
}
