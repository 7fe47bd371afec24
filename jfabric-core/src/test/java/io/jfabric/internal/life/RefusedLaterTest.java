// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.MemoryRegion;
import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the provider was not to close yet, and then does not close when it is its turn, is closed later, once. */
@Timeout(60)
class RefusedLaterTest {
    private static final class Waiting extends FidObject implements Neighbours {
        private volatile boolean referred = true;
        private final AtomicInteger closed = new AtomicInteger();

        Waiting(FidObject parent, long fid) {
            super(parent, fid);
        }

        @Override
        protected Neighbours neighbours() {
            return this;
        }

        @Override
        public void closed() {
            closed.incrementAndGet();
        }

        @Override
        public boolean isReferred() {
            return referred;
        }

        @Override
        public boolean mustStay() {
            return false;
        }

        @Override
        public List<AddressSpace> memory() {
            return List.of();
        }

        @Override
        public String kind() {
            return "counter";
        }
    }

    private final FailingCalls closing = new FailingCalls(Errno.EBUSY);

    /** A counter that is closed, whose turn it is with the next close. */
    private Waiting closed(Pair pair) {
        DomainState domain = ((DomainImpl) pair.domain).state();
        Waiting waiting;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_cntr_attr.layout());
            waiting = domain.open("fi_cntr_open", (d, result) -> DomainOps.cntrOpen(d, attr.address(), result, 0),
                    fid -> new Waiting(domain.object(), fid));
        }
        closing.close(waiting.fid());
        waiting.close();
        assertThat(waiting.isOpen()).isFalse();
        waiting.referred = false;
        return waiting;
    }

    private void isClosedOnce(Waiting waiting, int refusals) {
        Waits.until("it is closed", () -> waiting.closed.get() > 0);
        assertThat(waiting.closed).hasValue(1);
        assertThat(closing.failed()).isEqualTo(refusals);
        assertThat(closing.passed()).isOne();
    }

    private static String logged(Runnable action) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    /** Although nothing else is closed any more. */
    @Test
    void itIsTriedUntilItSucceeds() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            Waiting waiting = closed(pair);
            closing.next(4);
            assertThat(logged(pair.a.endpoint::close)).contains("stays with the provider for now", "is tried again")
                    .doesNotContain("then close it again");
            assertThat(closing.failed()).isPositive();
            isClosedOnce(waiting, 4);
        }
    }

    @Test
    void whatItWasOpenedFromWaitsForIt() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            Waiting waiting = closed(pair);
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
            Waiting waiting = closed(pair);
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
