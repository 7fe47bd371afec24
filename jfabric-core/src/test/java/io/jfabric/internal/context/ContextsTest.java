// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an endpoint's operations leave behind, without a provider. */
@Timeout(60)
class ContextsTest {
    private static final int ROUNDS = 40_000;

    private final ContextRegistry registry = new ContextRegistry(false);

    private static final class Queue implements ContextReader {
        private final QueueRoom room;
        private boolean isAsked;

        Queue(long silent) {
            room = new QueueRoom(0, silent);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public QueueRoom room() {
            return room;
        }

        @Override
        public void sayWhenEmpty() {
            isAsked = true;
        }
    }

    private Contexts selective(Queue queue) {
        Contexts contexts = new Contexts(registry, false, true, true, false, false, Contexts.ANY_NUMBER);
        contexts.of("an endpoint");
        contexts.queueBound(queue, BindFlag.TRANSMIT.code() | BindFlag.RECV.code()
                | BindFlag.SELECTIVE_COMPLETION.code());
        return contexts;
    }

    /** Each in the round that it is in, until the last is over. */
    private final class Sender {
        private volatile Contexts current;
        private volatile Contexts met;

        void run() {
            for (Contexts now = current; now != null; now = current) {
                met = now;
                for (int i = 0; i < 32; i++) {
                    now.transmitAlive(1, null);
                }
            }
        }
    }

    /** Receives of the other kind would destroy the provider's memory: see OneKind. */
    @Test
    @Tag("long")
    void sendsOfAnotherThreadDoNotHideAReceiveWhoseEndNothingTells() throws InterruptedException {
        Sender sender = new Sender();
        sender.current = selective(new Queue(0));
        Thread thread = Thread.ofPlatform().start(sender::run);
        List<Contexts> all = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            Contexts contexts = selective(new Queue(0));
            sender.current = contexts;
            while (sender.met != contexts) {
                Thread.onSpinWait();
            }
            contexts.receiveAlive(1, null, ContextSlot.UNBOUNDED, Address.ANY);
            all.add(contexts);
        }
        sender.current = null;
        thread.join();
        assertThat(all.stream().filter(contexts -> !contexts.mayReceive(false)).count()).isZero();
    }

    private static int silentReceives(Contexts contexts) {
        for (int count = 0;; count++) {
            if (contexts.silent().acquire(1, null, 8, Address.ANY) == ContextSlab.FULL) {
                return count;
            }
        }
    }

    /** What nobody asked for may stay unread for ever, and some providers take no receives while a queue is full. */
    @Test
    void reportsOfClosedEndpointsTakeRoomUntilTheQueueIsEmpty() {
        int room = 8 * ContextChunk.SLOTS;
        Queue queue = new Queue(room);
        int unread = 0;
        for (int i = 0; i < 20; i++) {
            Contexts contexts = selective(queue);
            unread += silentReceives(contexts);
            contexts.close();
        }
        assertThat(unread).isPositive().isLessThanOrEqualTo(room);
        assertThat(queue.isAsked).isTrue();
        registry.emptied(queue);
        assertThat(silentReceives(selective(queue))).isPositive();
    }

    /** For the watch that says so. */
    @Test
    void aSilentReceiveThatIsRepeatedIsNotTheLastThatWasRefused() {
        Contexts contexts = selective(new Queue(8 * ContextChunk.SLOTS));
        long refused = contexts.silent().acquire(1, null, 8, Address.ANY);
        contexts.busy(refused);
        contexts.cancel(refused);
        assertThat(contexts.endedInRefusal()).isTrue();
        contexts.silent().acquire(1, null, 8, Address.ANY);
        assertThat(contexts.endedInRefusal()).isFalse();
    }
}
