// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An Error while a completion is being shown, where the stack or the memory ends, leaves the queue to others, and the
 * completion to the next poll.
 */
@Timeout(60)
class FailedDeliveryTest {
    private static final int ROUNDS = 3;

    private final MemorySegment memory = Arena.ofAuto().allocate(8);

    private static final class StackEnds extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Fails when its operation is over. */
    private final class Failing implements Kept {
        private boolean failed;

        @Override
        public void release() {
            if (!failed) {
                failed = true;
                throw new StackEnds();
            }
        }

        @Override
        public Object buffers() {
            return memory;
        }
    }

    /** One by one: the first poll of a thread, one of a queue's owner, and one after a failure go different ways. */
    @Test
    void letsOthersPoll() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            for (int round = 0; round < ROUNDS; round++) {
                pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
                assertThat(send((EndpointImpl) pair.a.endpoint, pair.a.peer)).isZero();
                pair.untilWithoutProgress("no end of the send", () -> {
                    pair.b.poll();
                    try {
                        pair.a.poll();
                        return false;
                    } catch (StackEnds expected) {
                        return true;
                    }
                });
                // by this thread, or another
                assertThat(round == 0 ? pair.a.poll() : CompletableFuture.supplyAsync(pair.a::poll).join()).isOne();
                assertThat(pair.a.take(done -> done.context() == 2)).as("what was not shown").isNotNull();
                assertThat(pair.a.poll()).isZero();
                pair.await(pair.b, 1);
            }
        }
    }

    /** As above, of several that are read at once, and of those that a closer took aside. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void losesNone(boolean aside) {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            CompletionQueueImpl queue = (CompletionQueueImpl) pair.a.queue;
            for (int round = 0; round < ROUNDS; round++) {
                pair.a.poll();
                for (int i = 0; i < 4; i++) {
                    pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
                }
                for (int i = 0; i < 4; i++) {
                    assertThat(send((EndpointImpl) pair.a.endpoint, pair.a.peer)).isZero();
                }
                pair.untilWithoutProgress("no receives", () -> {
                    queue.exclusively(queue::progress);
                    pair.b.poll();
                    return pair.b.done().size() == 4;
                });
                if (aside) {
                    queue.exclusively(() -> queue.takeAside(error -> false));
                }
                int[] failures = new int[1];
                pair.untilWithoutProgress("not all", () -> {
                    try {
                        pair.a.poll();
                    } catch (StackEnds expected) {
                        failures[0]++;
                    }
                    return pair.a.done().size() == 4;
                });
                assertThat(failures).containsExactly(4);
                assertThat(pair.a.done()).allMatch(done -> done.context() == 2);
                pair.a.done().clear();
                pair.b.done().clear();
            }
        }
    }

    /** What a closer has read so far is there for the next poll if it gets no further. */
    @Test
    void keepsWhatWasTakenAsideBefore() {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            CompletionQueueImpl queue = (CompletionQueueImpl) pair.b.queue;
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 3));
            queue.exclusively(queue::progress);
            assertThat(pair.b.endpoint.cancel(2)).isTrue();
            assertThatThrownBy(() -> queue.exclusively(() -> queue.takeAside(error -> {
                throw new StackEnds();
            }))).isInstanceOf(StackEnds.class);
            assertThat(pair.b.poll()).isOne();
            assertThat(pair.b.take(done -> done.context() == 1)).isNotNull();
        }
    }

    private long send(EndpointImpl endpoint, long peer) {
        EndpointState state = endpoint.state();
        return endpoint.call(fid -> state.messageOps().send(fid, memory.address(), memory.byteSize(), 0, peer,
                state.contexts().transmit(2, new Failing(), ContextSlab.RESOURCES, Libfabric.FI_COMPLETION())));
    }
}
