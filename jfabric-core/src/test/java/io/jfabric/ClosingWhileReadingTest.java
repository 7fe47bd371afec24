// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Endpoints that are closed while a large message arrives, which rxm reads from its sender. */
@Timeout(90)
class ClosingWhileReadingTest {
    private static final int LARGE = 64 << 20;
    private static final long OTHER = 5;
    private static final long ARRIVING = 6;
    private final MemorySegment in = Arena.ofAuto().allocate(LARGE);
    private final MemorySegment out = Arena.ofAuto().allocate(LARGE).fill((byte) 3);

    @BeforeEach
    void offered() {
        assumeTrue(Providers.RXM.isOffered());
    }

    /** Until some of the message is there, but not all. */
    private void begin(Pair receiver, Pair sender, long peer) {
        receiver.post(() -> receiver.b.endpoint.messages().receive(in, Address.ANY, ARRIVING));
        receiver.post(() -> receiver.b.endpoint.messages().receive(out.asSlice(0, 8), Address.ANY, OTHER));
        receiver.until("posted", () -> {
            sender.progress();
            return sender.a.endpoint.messages().send(out, peer, 1);
        });
        receiver.until("begun", () -> {
            sender.progress();
            return in.get(ValueLayout.JAVA_BYTE, 0) == 3;
        });
        assertThat(in.get(ValueLayout.JAVA_BYTE, LARGE - 1)).as("all of it is there already").isZero();
    }

    /** The provider may keep what was under way; then it is said. */
    private static void close(Pair pair) {
        Throwable told = catchThrowable(pair::close);
        if (told != null) {
            assertThat(told).isInstanceOf(FabricException.class).hasMessageContaining("It is closed now");
        }
    }

    @Test
    void whatIsArrivingArrivesAndIsReported() {
        boolean arrived = false;
        for (int i = 0; i < 5 && !arrived; i++) {
            arrived = closesWhileItArrives();
        }
        assumeTrue(arrived, "nothing arrived: there was nothing to report");
    }

    /** Whether all of it is there. */
    private boolean closesWhileItArrives() {
        in.fill((byte) 0);
        Pair pair = Pair.open(Providers.RXM).connect();
        begin(pair, pair, pair.a.peer);
        pair.b.endpoint.close();
        List<Long> reported = new ArrayList<>();
        CompletionHandler handler = new CompletionHandler() {
            @Override
            public void onCompletion(Completion completion) {
                reported.add(completion.context());
            }

            @Override
            public void onError(CompletionError error) {
                reported.add(-error.context());
            }
        };
        while (pair.b.queue.poll(handler, 1) > 0) {
            assertThat(reported).hasSizeLessThan(5);
        }
        assertThat(pair.b.endpoint.isOpen()).isFalse();
        boolean arrived = in.mismatch(out) == -1;
        if (arrived) {
            assertThat(reported).contains(ARRIVING);
        }
        close(pair);
        return arrived;
    }

    /** The sender does nothing more: closing ends all the same, and the process lives. */
    @Test
    @Tag("long")
    void aStalledSenderDoesNotKeepAnEndpointOpen() {
        Pair sender = Pair.open(Providers.RXM);
        Pair receiver = Pair.open(Providers.RXM).connect();
        begin(receiver, sender, sender.a.addresses.insert(receiver.b.endpoint.address()));
        receiver.b.endpoint.close();
        assertThat(receiver.b.endpoint.isOpen()).isFalse();
        close(receiver);
        sender.progress();
        close(sender);
        try (Pair next = Pair.open(Providers.RXM).connect()) {
            next.post(() -> next.b.endpoint.messages().receive(in, Address.ANY, ARRIVING));
            next.post(() -> next.a.endpoint.messages().send(out, next.a.peer, 1));
            assertThat(next.await(next.b, ARRIVING).length()).isEqualTo(LARGE);
        }
    }
}
