// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Sweep;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls that are late where the memory is short. */
class WaitingCallsTest {
    private final List<Outgoing<?>> ended = new ArrayList<>();
    private final Sweep never = new Sweep((millis, look) -> { }, 1, () -> false);
    private final WaitingCalls waiting = new WaitingCalls(10, never, this::end);
    private boolean fails = true;

    private void end(Outgoing<?> call) {
        if (fails) {
            call.reopen();
            throw new OutOfMemoryError("expected");
        }
        ended.add(call);
        waiting.leaves(call);
    }

    private Outgoing<?> late() {
        Outgoing<?> call = new BytesCall(null, MemorySegment.NULL, Clock.now());
        assertThat(waiting.add(call)).isTrue();
        return call;
    }

    /** There was no thread to end them in. */
    @Test
    void thoseThatCannotBeEndedAreEndedLater() {
        List<Outgoing<?>> all = List.of(late(), late(), late());
        assertThat(waiting.next()).isNull();
        assertThatThrownBy(() -> waiting.tick(Clock.now())).isInstanceOf(OutOfMemoryError.class);
        assertThat(waiting.areLeft()).isTrue();
        fails = false;
        waiting.tick(Clock.now());
        assertThat(ended).containsExactlyInAnyOrderElementsOf(all);
        assertThat(waiting.areLeft()).isFalse();
    }

    /** That one may take long, in another thread. */
    @Test
    void thoseBehindOneThatIsBeingEnded() {
        fails = false;
        List<Outgoing<?>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(late());
            waiting.tick(Clock.now());
        }
        assertThat(ended).isEqualTo(all);
    }

    @Test
    void whoseTimeIsOverEndsBehindOthersThatHaveMore() {
        fails = false;
        Outgoing<?> patient = new BytesCall(null, MemorySegment.NULL, Clock.NEVER);
        assertThat(waiting.add(patient)).isTrue();
        Outgoing<?> late = late();
        for (int look = 0; look < 10; look++) {
            waiting.tick(Clock.now());
        }
        assertThat(ended).isEqualTo(List.of(late));
        assertThat(waiting.count()).isOne();
        assertThat(waiting.next()).isSameAs(patient);
    }
}
