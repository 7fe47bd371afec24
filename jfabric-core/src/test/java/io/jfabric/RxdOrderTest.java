// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.MessageOrder;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages between reads. Once they are in order without a connection, the table is wrong. */
@Timeout(60)
class RxdOrderTest {
    private static final int MESSAGES = 200;
    private static final int ROUNDS = 10;
    private static final int READ = 1000;
    private static final long RECEIVED = 1000;

    @BeforeAll
    static void offered() {
        Providers.RXD.assumeOffered();
    }

    private static boolean inOrder(boolean connected) {
        try (Pair pair = Pair.open(Providers.RXD, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA)); Arena arena = Arena.ofShared()) {
            assertThat(pair.info.tx().messageOrder().contains(MessageOrder.SAS)).isTrue();
            if (connected) {
                pair.connect();
            }
            MemorySegment in = arena.allocate(8L * MESSAGES);
            MemorySegment out = arena.allocate(8L * MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                long number = i;
                out.setAtIndex(ValueLayout.JAVA_LONG, number, number);
                pair.post(() -> pair.b.endpoint.messages().receive(in, 8 * number, 8, Address.ANY, RECEIVED + number));
            }
            RemoteRegion region = pair.domain.register(arena.allocate(READ), MemoryAccess.REMOTE_READ).remote();
            MemorySegment read = arena.allocate(READ);
            for (int i = 0; i < MESSAGES; i++) {
                long number = i;
                if (i % 10 == 0) {
                    pair.post(() -> pair.a.endpoint.rma().read(read, pair.a.peer, region, 0, 2));
                }
                pair.post(() -> pair.a.endpoint.messages().send(out, 8 * number, 8, pair.a.peer, 1));
                if (i % 7 == 3) {
                    pair.progress();
                }
            }
            boolean ordered = true;
            for (int i = 0; i < MESSAGES; i++) {
                pair.await(pair.b, RECEIVED + i);
                ordered &= in.getAtIndex(ValueLayout.JAVA_LONG, i) == i;
            }
            for (int i = 0; i < MESSAGES; i++) {
                pair.await(pair.a, 1);
            }
            for (int i = 0; i < MESSAGES; i += 10) {
                pair.await(pair.a, 2);
            }
            return ordered;
        }
    }

    @Test
    void messagesOvertakeOthersBeforeTheConnectionIsThere() {
        boolean ordered = true;
        for (int i = 0; i < ROUNDS && ordered; i++) {
            ordered = inOrder(false);
        }
        assertThat(ordered).as("in order").isFalse();
    }

    @Test
    void messagesKeepTheirOrderAfterOneThatHasCompleted() {
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(inOrder(true)).as("in order").isTrue();
        }
    }
}
