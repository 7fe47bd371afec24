// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A receive that is posted again and again while its node is closed: one of the two gives its buffer back, once. */
@Timeout(120)
@Tag("long")
class StandingReceiveTest {
    private static final int TIMES = 100;

    @Test
    void itsBufferIsGivenBackOnce() throws InterruptedException {
        for (int i = 0; i < TIMES; i++) {
            try (Hints hints = Hints.rdm().provider(Providers.SHM.provider())
                    .capabilities(Capability.MSG, Capability.TAGGED)) {
                Node sender = Node.open(hints);
                Node receiver = Node.open(hints);
                Again again = new Again((NodeImpl) receiver);
                again.post();
                Thread sending = send(sender, sender.peer(receiver.address().bytes()));
                again.first.await();
                Thread.sleep(i % 5);
                receiver.close();
                // the engine may be about to give it back, as what follows on an end is nothing that is waited for
                assertThat(again.wasGivenBack()).as("closed for the " + i + "th time").isTrue();
                sender.close();
                sending.join();
                assertThat(again.givenBack).as("closed for the " + i + "th time").hasValue(1);
            }
        }
    }

    private static Thread send(Node node, Peer peer) {
        MemorySegment buffer = node.allocate(8);
        return Thread.ofPlatform().start(() -> {
            try {
                while (node.isOpen()) {
                    ((NodeImpl) node).internal().send(buffer, 0, 8, peer, OwnTags.ALIVE).join();
                }
            } catch (IllegalStateException | CompletionException closed) {
                // as it should be
            }
        });
    }

    /** Receives until it cannot any more. */
    private static final class Again implements StandingReceive.Taker {
        private final StandingReceive receive;
        private final MemorySegment buffer;
        private final CountDownLatch first = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final AtomicInteger givenBack = new AtomicInteger();

        private Again(NodeImpl node) {
            this.receive = node.receiveAgain(OwnTags.ALIVE, this);
            this.buffer = node.allocate(8);
        }

        private void post() {
            try {
                receive.next(buffer);
            } catch (IllegalStateException closed) {
                failed(closed);
            }
        }

        private boolean wasGivenBack() throws InterruptedException {
            return end.await(10, TimeUnit.SECONDS);
        }

        @Override
        public void arrived(long length) {
            first.countDown();
            post();
        }

        @Override
        public void failed(Throwable why) {
            givenBack.incrementAndGet();
            end.countDown();
        }
    }
}
