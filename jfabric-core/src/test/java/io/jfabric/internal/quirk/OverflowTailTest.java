// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.ffi.Memory;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tells a message that was longer than receive and tail from one whose sender has died. */
@Timeout(60)
class OverflowTailTest {
    @Test
    void isFullOnce() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        OverflowTail tail = OverflowTail.of(Quirks.of("shm"), false, 0, 4);
        Memory.putLong(tail.start() + (1 << 15), 1);
        Memory.putLong(tail.start() + (1 << 16), 1);
        OverflowTail.forget((1 << 16) + Long.BYTES);
        assertThat(OverflowTail.wasFull()).as("a shorter one").isFalse();
        Memory.putLong(OverflowTail.Reservation.END - Long.BYTES, 1);
        assertThat(OverflowTail.wasFull()).isTrue();
        assertThat(OverflowTail.wasFull()).as("given back").isFalse();
        Memory.putLong(OverflowTail.Reservation.END - Long.BYTES, 1);
        OverflowTail.forget(OverflowTail.Reservation.END - tail.start() - 1);
        assertThat(OverflowTail.wasFull()).as("one that just fitted").isFalse();
    }
}
