// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.trigger.Deferral;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of operations that wait for a counter of sockets and cannot start when it gets there. */
@Timeout(60)
class LateTriggersTest {
    private static final int MANY = 6000;
    private static final Duration A_WHILE = Duration.ofMillis(500);

    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SOCKETS.isOffered(), "sockets is not offered");
    }

    private static Pair open() {
        return Pair.open(Providers.SOCKETS, hints -> hints.capabilities(Capability.MSG, Capability.TRIGGER)).connect();
    }

    private static void exchange(Pair pair, MemorySegment memory) {
        pair.post(() -> pair.b.endpoint.messages().receive(memory.asSlice(0, 8), Address.ANY, -1));
        pair.post(() -> pair.a.endpoint.messages().send(memory.asSlice(8, 8), pair.a.peer, -2));
        pair.await(pair.b, -1);
        pair.await(pair.a, -2);
    }

    @Test
    void theRestStartsWhenTheCounterChangesAgain() {
        try (Pair pair = open(); Arena arena = Arena.ofShared()) {
            Counter counter = pair.domain.openCounter();
            MemorySegment memory = arena.allocate(16);
            exchange(pair, memory);
            MessageRequest send = pair.a.endpoint.messages().sendRequest().buffers(memory.asSlice(8, 8))
                    .peer(pair.a.peer);
            for (int i = 0; i < MANY; i++) {
                long context = i;
                pair.post(() -> Trigger.at(counter, 1).post(send, context));
                pair.post(() -> pair.b.endpoint.messages().receive(memory.asSlice(0, 8), Address.ANY, context));
            }
            counter.add(1);
            pair.progressFor(A_WHILE);
            assertThat(pair.a.done()).hasSizeLessThan(MANY);
            pair.until("the rest", () -> {
                counter.add(1);
                return pair.a.done().size() == MANY && pair.b.done().size() == MANY;
            });
        }
    }

    @Test
    void whatCannotStartIsReportedByNothing() {
        try (Pair pair = open(); Arena arena = Arena.ofShared()) {
            // the domain closes them, after what may still need them
            Counter counter = pair.domain.openCounter();
            Counter ended = pair.domain.openCounter();
            MemorySegment memory = arena.allocate(16);
            exchange(pair, memory);
            MessageRequest send = pair.a.endpoint.messages().sendRequest().buffers(memory.asSlice(8, 8))
                    .peer(pair.a.peer);
            pair.post(() -> Trigger.at(counter, 1).post(send, 7));
            Deferral.at(counter, 1).completionCounter(ended).queue(send);
            pair.b.endpoint.close();
            // until the connection's end is noticed
            long end = System.nanoTime() + A_WHILE.toNanos();
            while (System.nanoTime() < end) {
                pair.a.poll();
            }
            counter.add(1);
            end = System.nanoTime() + A_WHILE.toNanos();
            while (System.nanoTime() < end) {
                pair.a.poll();
            }
            assertThat(pair.a.done()).isEmpty();
            assertThat(ended.read() + ended.readErrors()).isZero();
        }
    }

    /** The endpoint of what waits may be gone before those that still count. */
    @Test
    void aDomainThatClosesLetsNothingStart() {
        List<Counter> arrivals = new ArrayList<>();
        try (Pair pair = Pair.open(Providers.SOCKETS, hints -> hints.capabilities(Capability.MSG, Capability.TRIGGER),
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> {
                    arrivals.add(endpoint.domain().openCounter());
                    endpoint.bind(arrivals.getLast(), BindFlag.RECV);
                })) {
            MessageRequest send = pair.a.endpoint.messages().sendRequest()
                    .buffers(pair.domain.openArena().allocate(8)).peer(pair.a.peer);
            for (Counter counter : arrivals) {
                pair.post(() -> Trigger.at(counter, 1).post(send, 7));
            }
            ((DomainImpl) pair.domain).state().pendingTriggers().abandon();
            for (Counter counter : arrivals) {
                assertThat(counter.isOpen()).isTrue();
                counter.add(1);
            }
            pair.progressFor(A_WHILE);
            assertThat(pair.a.done()).isEmpty();
        }
    }
}
