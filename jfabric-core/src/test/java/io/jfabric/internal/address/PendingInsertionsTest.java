// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What of asynchronous insertions goes to whom, and who waits for whom. */
class PendingInsertionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long FIRST = 7;
    private static final long SECOND = 8;
    private static final long THIRD = 9;

    private final PendingInsertions pending = new PendingInsertions();
    private final MemorySegment addresses = Arena.ofAuto().allocate(16);

    /** The provider waits for whoever reads events, which it may when it is called under a lock of its own. */
    @Test
    @Timeout(20)
    void aReaderIsNotKeptByAStart() throws Exception {
        MemorySegment first = results();
        pending.start(FIRST, addresses, 1, first, (from, to) -> put(to, 1));
        List<Long> inserted = new ArrayList<>();
        MemorySegment second = results();
        pending.start(SECOND, addresses, 1, second, (from, to) -> {
            put(to, 2);
            CompletableFuture.runAsync(() -> pending.finish(FIRST, inserted::add))
                    .orTimeout(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS).join();
        });
        assertThat(first.get(LONG, 0)).isEqualTo(1);
        assertThat(second.get(LONG, 0)).isZero();
        pending.finish(SECOND, inserted::add);
        assertThat(second.get(LONG, 0)).isEqualTo(2);
        assertThat(inserted).containsExactly(1L, 2L);
    }

    @Test
    void whatCouldNotStartTakesNoEvent() {
        List<Long> inserted = new ArrayList<>();
        MemorySegment first = results();
        pending.start(FIRST, addresses, 1, first, (from, to) -> put(to, 1));
        assertThatThrownBy(() -> pending.start(SECOND, addresses, 1, results(), (from, to) -> {
            throw new IllegalStateException("full");
        })).hasMessage("full");
        MemorySegment third = results();
        pending.start(THIRD, addresses, 1, third, (from, to) -> put(to, 3));
        pending.finish(FIRST, inserted::add);
        pending.finish(SECOND, inserted::add);
        pending.finish(THIRD, inserted::add);
        assertThat(first.get(LONG, 0)).isEqualTo(1);
        assertThat(third.get(LONG, 0)).isEqualTo(3);
        assertThat(inserted).containsExactly(1L, 3L);
    }

    private static MemorySegment results() {
        return Arena.ofAuto().allocate(LONG);
    }

    private static void put(long address, long value) {
        Memory.putLong(address, value);
    }
}
