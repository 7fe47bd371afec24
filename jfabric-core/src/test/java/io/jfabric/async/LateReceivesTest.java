// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many receives whose deadlines pass at the same time end together, not one in each poll. */
class LateReceivesTest {
    private static final int MANY = 2000;

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void manyEndInFewPolls(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
             Node node = Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress())) {
            MemorySegment room = node.allocate(64);
            AtomicInteger ended = new AtomicInteger();
            List<Throwable> wrong = new ArrayList<>();
            Operations soon = node.within(Duration.ofMillis(200));
            for (int i = 0; i < MANY; i++) {
                soon.receive(room, 5).whenComplete((received, failure) -> {
                    ended.incrementAndGet();
                    if (!(cause(failure) instanceof FabricException known && known.error() == FabricError.ETIMEDOUT)) {
                        wrong.add(failure);
                    }
                });
            }
            int polls = 0;
            long end = System.nanoTime() + Pair.DEADLINE.toNanos();
            while (ended.get() < MANY && System.nanoTime() < end) {
                int before = ended.get();
                node.progress();
                if (ended.get() > before) {
                    polls++;
                }
            }
            assertThat(ended).hasValue(MANY);
            assertThat(wrong).isEmpty();
            assertThat(polls).isLessThan(MANY / 4);
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }
}
