// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.MemoryRegion;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testing.Logged;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the provider was not to close yet, and then does not close when it is its turn, is closed later, once. */
@Timeout(60)
class RefusedLaterTest {
    private final FailingCalls closing = new FailingCalls(Errno.EBUSY);

    /** A counter that is closed, whose turn it is with the next close. */
    private LateCounter closed(Pair pair) {
        LateCounter waiting = LateCounter.open(pair.domain);
        closing.close(waiting.fid());
        waiting.close();
        assertThat(waiting.isOpen()).isFalse();
        waiting.referred = false;
        return waiting;
    }

    private void isClosedOnce(LateCounter waiting, int refusals) {
        Waits.until("it is closed", () -> waiting.closed.get() > 0);
        assertThat(waiting.closed).hasValue(1);
        assertThat(closing.failed()).isEqualTo(refusals);
        assertThat(closing.passed()).isOne();
    }

    /** Although nothing else is closed any more. */
    @Test
    void itIsTriedUntilItSucceeds() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            LateCounter waiting = closed(pair);
            closing.next(4);
            assertThat(Logged.by(pair.a.endpoint::close)).contains("stays with the provider for now", "is tried again")
                    .doesNotContain("then close it again");
            assertThat(closing.failed()).isPositive();
            isClosedOnce(waiting, 4);
        }
    }

    @Test
    void whatItWasOpenedFromWaitsForIt() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            LateCounter waiting = closed(pair);
            closing.next(4);
            pair.a.endpoint.close();
            pair.fabric.close();
            assertThat(pair.domain.isOpen() || pair.fabric.isOpen()).isFalse();
            isClosedOnce(waiting, 4);
        }
    }

    /** Threads may be in calls that use it meanwhile. */
    @Test
    void itIsNotTriedWithARegionThatKeepsNobodyOut() {
        try (Pair pair = Pair.open(Providers.SOCKETS); Arena arena = Arena.ofConfined()) {
            MemoryRegion region = pair.domain.register(arena.allocate(64), MemoryAccess.REMOTE_WRITE);
            LateCounter waiting = closed(pair);
            // no other thread tries then
            waiting.locked(() -> {
                closing.next(1000);
                pair.a.endpoint.close();
                assertThat(closing.failed()).isOne();
                region.close();
                assertThat(closing.failed()).isOne();
                closing.next(0);
            });
            isClosedOnce(waiting, 1);
        }
    }
}
