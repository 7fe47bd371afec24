// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What closing an endpoint of another process does to messages here: nothing above libfabric can mend it. If this
 * fails, a new release may do it right: then the table of quirks has to say so.
 */
@Timeout(90)
@Tag("long")
class ShmDiscardTest {
    private static final int SIZE = 1000;

    private static MemorySegment filled(long size, int value) {
        return Arena.ofAuto().allocate(size, 8).fill((byte) value);
    }

    @Test
    void closingWithAMessageUnread() {
        assumeTrue(Providers.SHM.isOffered());
        Quirks quirks = Quirks.of("shm");
        try (Pair pair = Pair.open(Providers.SHM);
             ChildJvm child = ChildJvm.of(Closer.class,
                     HexFormat.of().formatHex(pair.a.endpoint.address().bytes())).start()) {
            MemorySegment hello = filled(8, 1);
            pair.post(() -> pair.a.endpoint.messages().receive(hello, Address.ANY, 1));
            pair.await(pair.a, 1);
            long peer = pair.a.addresses.insert(ChildAddress.of(child));
            pair.post(() -> pair.a.endpoint.messages().send(filled(SIZE, 3), peer, 2));
            pair.post(() -> pair.a.endpoint.tagged().send(filled(8, 3), peer, 5, 3));
            pair.await(pair.a, 3);
            assertThat(child.await().exitCode()).as(child.output()).isZero();
            MemorySegment in = filled(SIZE, 0);
            pair.post(() -> pair.a.endpoint.messages().receive(in, Address.ANY, 4));
            pair.await(pair.a, 4);
            boolean changes = quirks.has(Quirk.DISCARDS_INTO_CLOSED_PEERS) && !quirks.has(Quirk.ANSWERS_IN_PROCESS);
            assertThat(in.mismatch(filled(SIZE, 7))).isEqualTo(changes ? 8 : -1);
        }
    }

    /** Leaves a message unread, sends one and closes. */
    static final class Closer {
        private Closer() {
        }

        public static void main(String[] args) {
            try (Pair pair = Pair.open(Providers.SHM)) {
                long peer = pair.a.addresses.insert(HexFormat.of().parseHex(args[0]));
                ChildAddress.print(pair.a.endpoint.address().bytes());
                pair.post(() -> pair.a.endpoint.messages().send(filled(8, 1), peer, 1));
                pair.await(pair.a, 1);
                // what comes behind the message that nobody receives
                MemorySegment in = filled(8, 0);
                pair.post(() -> pair.a.endpoint.tagged().receive(in, Address.ANY, 5, 0, 2));
                pair.await(pair.a, 2);
                pair.post(() -> pair.a.endpoint.messages().send(filled(SIZE, 7), peer, 3));
                pair.await(pair.a, 3);
            }
        }
    }
}
