// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slots of calls that one thread goes on with while another ends them. */
@Timeout(60)
class WindowTest {
    @Test
    void whoComesLateDoesNotFreeASlotAgain() {
        Window window = new Window(2);
        window.grant(1);
        int slot = window.pop();
        Outgoing<?> call = call();
        window.start(slot, call);
        assertThat(window.letGo(slot)).isFalse();
        assertThat(window.hold(slot, call)).isTrue();
        assertThat(window.end(slot, call)).isTrue();
        assertThat(window.letGo(slot)).as("something of it is being sent").isFalse();
        assertThat(window.hold(slot, call)).as("it is over").isFalse();
        assertThat(window.letGo(slot)).isTrue();
        assertThat(window.hold(slot, call)).as("nobody's").isFalse();
        assertThat(window.pop()).isEqualTo(slot);
        assertThat(window.pop()).as("it was free once").isNegative();
        Outgoing<?> next = call();
        window.start(slot, next);
        assertThat(window.hold(slot, call)).as("another's").isFalse();
        assertThat(window.hold(slot, next)).isTrue();
        assertThat(window.letGo(slot)).isFalse();
        assertThat(window.letGo(slot)).isFalse();
        assertThat(window.letGo(slot)).isTrue();
    }

    /** Services may say anything. */
    @Test
    void nobodyGrantsMoreThanThereAre() {
        Window window = new Window(2);
        window.grant(1);
        window.grant(Integer.MAX_VALUE);
        assertThat(List.of(window.pop(), window.pop())).containsExactlyInAnyOrder(0, 1);
        assertThat(window.pop()).isNegative();
    }

    @Test
    void slotsAreFreeOnceWhoeverIsLate() throws Exception {
        Window window = new Window(2);
        window.grant(1);
        for (int i = 0; i < 20_000; i++) {
            int slot = window.pop();
            assertThat(slot).isZero();
            assertThat(window.pop()).isNegative();
            Outgoing<?> call = call();
            window.start(slot, call);
            window.letGo(slot);
            CountDownLatch done = new CountDownLatch(1);
            Thread.startVirtualThread(() -> {
                if (window.hold(slot, call)) {
                    window.letGo(slot);
                }
                done.countDown();
            });
            if (window.end(slot, call)) {
                window.letGo(slot);
            }
            done.await();
        }
    }

    private static Outgoing<?> call() {
        return new BytesCall(null, MemorySegment.NULL, Clock.NEVER);
    }
}
