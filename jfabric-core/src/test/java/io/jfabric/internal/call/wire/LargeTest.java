// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory for large messages: never more than the limit, and all of it again when it is not used any more. */
@Timeout(60)
class LargeTest {
    private static final int BLOCK = 1 << 14;
    private static final int BLOCKS = 4;
    /** More than is ever kept for the next. */
    private static final long HUGE = (64L << 20) + 1;

    private static List<Large.Block> takeAll(Large large) {
        List<Large.Block> all = new ArrayList<>();
        for (Large.Block block = large.take(BLOCK); block != null; block = large.take(BLOCK)) {
            all.add(block);
        }
        assertThat(all).hasSize(BLOCKS);
        return all;
    }

    @Test
    void itIsThereAgainHoweverItCameBack() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            Large large = new Large(pair.domain, BLOCKS * BLOCK);
            for (int i = 0; i < 3; i++) {
                takeAll(large).forEach(Large.Block::giveBack);
                takeAll(large).forEach(Large.Block::discard);
            }
            large.close();
        }
    }

    /** Memory that the provider knows already is faster. */
    @Test
    void whatCameBackIsTheNext() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            Large large = new Large(pair.domain, BLOCKS * BLOCK);
            Large.Block block = large.take(BLOCK);
            block.giveBack();
            assertThat(large.take(BLOCK)).isSameAs(block);
            large.close();
        }
    }

    /** Its size is no power of two: then a block is just as long as it must be, and counts so. */
    @Test
    void allOfItCanBeTakenAtOnce() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            int limit = 100_000;
            Large large = new Large(pair.domain, limit);
            for (int i = 0; i < 3; i++) {
                for (int size : new int[] {limit / 2 + BLOCK, limit - 1, limit}) {
                    Large.Block block = large.take(size);
                    assertThat(block.memory(size).byteSize()).isEqualTo(size);
                    assertThat(large.take(limit - size + 1)).isNull();
                    block.giveBack();
                }
                assertThat(large.take(limit + 1)).isNull();
            }
            large.close();
        }
    }

    @Test
    void alsoOfSuchAsAreNotKept() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            Large large = new Large(pair.domain, HUGE);
            for (int i = 0; i < 3; i++) {
                Large.Block block = large.take(HUGE);
                assertThat(block).isNotNull();
                assertThat(large.take(1)).isNull();
                block.giveBack();
            }
            large.close();
        }
    }

    /** An operation that was given up may still write to it. */
    @Test
    void notWhileAnOperationUsesIt() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            Large large = new Large(pair.domain, BLOCKS * BLOCK);
            List<Large.Block> all = takeAll(large);
            MemorySegment used = all.getFirst().memory(8);
            pair.post(() -> pair.a.endpoint.messages().receive(used, Address.ANY, 1));
            all.getFirst().discard();
            assertThat(large.take(BLOCK)).as("it is still used").isNull();
            assertThat(pair.a.endpoint.cancel(1)).isTrue();
            pair.awaitError(pair.a, 1);
            assertThat(large.take(BLOCK)).isNotNull();
            assertThat(large.take(BLOCK)).isNull();
            large.close();
        }
    }
}
