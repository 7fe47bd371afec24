// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.FabricError;
import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler that polls takes what was read with its own completion, and leaves the rest as it is. */
@Timeout(60)
class NestedPollTest {
    private static final int LENGTH = 8;

    private final MemorySegment memory = Arena.ofAuto().allocate(LENGTH);
    private final List<Long> done = new ArrayList<>();
    private final List<CompletionError> errors = new ArrayList<>();

    private final class Polling implements CompletionHandler {
        private final CompletionQueueImpl queue;

        Polling(CompletionQueueImpl queue) {
            this.queue = queue;
        }

        @Override
        public void onCompletion(Completion completion) {
            done.add(completion.context());
            if (completion.context() == 1) {
                queue.poll(this, 1);
            }
        }

        @Override
        public void onError(CompletionError error) {
            errors.add(error);
        }
    }

    @Test
    void whatFollowsOneThatIsTooLongIsNone() {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            CompletionQueueImpl queue = (CompletionQueueImpl) pair.b.queue;
            Polling handler = new Polling(queue.ignoreSources());
            for (int i = 1; i <= 3; i++) {
                long context = i;
                MemorySegment room = memory.asSlice(0, i == 2 ? 1 : LENGTH);
                pair.post(() -> pair.b.endpoint.messages().receive(room, Address.ANY, context));
            }
            assertThat(queue.poll(handler, 1)).isZero();
            for (int i = 0; i < 3; i++) {
                assertThat(pair.a.endpoint.messages().send(memory, pair.a.peer, 9)).isTrue();
            }
            queue.exclusively(queue::progress);
            assertThat(queue.poll(handler, 8)).as("without the one that the handler took").isEqualTo(2);
            assertThat(errors).singleElement().satisfies(error -> {
                assertThat(error.context()).isEqualTo(2);
                assertThat(error.error()).isEqualTo(FabricError.ETRUNC);
                assertThat(error.overflow()).isEqualTo(LENGTH - 1);
            });
            assertThat(done).containsExactly(1L, 3L);
        }
    }
}
