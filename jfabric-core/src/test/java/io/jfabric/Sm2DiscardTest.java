// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Threading;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Closing with a message that nobody received. A process each, as it may stay there for ever. If the first test fails,
 * a new release may do it right: then the table of quirks has to say so.
 */
@Timeout(60)
class Sm2DiscardTest {
    private static final Providers.Choice SM2 = new Providers.Choice("sm2", EndpointType.RDM);
    private static final String CLOSING = "closing";
    private static final String CLOSED = "closed";
    private static final long FOR_EVER_MILLIS = 3000;

    @BeforeAll
    static void offered() {
        assumeTrue(SM2.isOffered(), "sm2 is not offered");
    }

    private static String outputOf(Threading threading) throws InterruptedException {
        try (ChildJvm child = ChildJvm.of(Closer.class, threading.name()).start()) {
            child.awaitLine(CLOSING::equals);
            long end = System.nanoTime() + FOR_EVER_MILLIS * 1_000_000;
            while (System.nanoTime() < end && !child.output().contains(CLOSED)) {
                Thread.sleep(10);
            }
            child.kill();
            return child.output();
        }
    }

    @Test
    void neverEndsForAllThreads() throws InterruptedException {
        assertThat(outputOf(Threading.SAFE)).doesNotContain(CLOSED);
    }

    @Test
    void endsForOneThread() throws InterruptedException {
        assertThat(outputOf(Threading.DOMAIN)).contains(CLOSED);
    }

    /** Leaves a message unread and closes. */
    static final class Closer {
        private Closer() {
        }

        public static void main(String[] args) {
            Threading threading = Threading.valueOf(args[0]);
            try (Pair pair = Pair.open(SM2, hints -> hints.domain().threading(threading))) {
                MemorySegment hello = Arena.ofAuto().allocate(8);
                pair.post(() -> pair.a.endpoint.messages().send(hello, pair.a.peer, 1));
                pair.await(pair.a, 1);
                pair.post(() -> pair.a.endpoint.tagged().send(hello, pair.a.peer, 5, 2));
                MemorySegment in = Arena.ofAuto().allocate(8);
                pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 5, 0, 3));
                // what comes behind the message that nobody receives
                pair.await(pair.b, 3);
                System.out.println(CLOSING);
            }
            System.out.println(CLOSED);
        }
    }
}
