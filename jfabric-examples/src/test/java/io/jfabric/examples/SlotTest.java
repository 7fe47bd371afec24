// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SlotTest {
    private final MemorySegment slot = Arena.ofAuto().allocate(Slot.SIZE, Long.BYTES);

    private static byte[] value(int fill) {
        byte[] value = new byte[Slot.LONGEST];
        Arrays.fill(value, (byte) fill);
        return value;
    }

    private MemorySegment copy() {
        return Arena.ofAuto().allocate(Slot.SIZE, Long.BYTES).copyFrom(slot);
    }

    @Test
    void isEmptyUntilItIsWritten() {
        assertThat(Slot.read(slot).isEmpty()).isTrue();
        Slot.write(slot, 42, value(1));
        assertThat(Slot.read(slot).isEmpty()).isFalse();
        assertThat(Slot.read(slot).key()).isEqualTo(42);
        assertThat(Slot.read(slot).value()).isEqualTo(value(1));
    }

    @Test
    void aCopyOfBeforeAndAfterIsSeen() {
        Slot.write(slot, 42, value(1));
        MemorySegment before = copy();
        Slot.write(slot, 42, value(2));
        MemorySegment after = copy();
        for (long cut = 1; cut < Slot.SIZE; cut++) {
            MemorySegment torn = copy();
            MemorySegment.copy(before, 0, torn, 0, cut);
            assertThat(Slot.read(torn)).as("begins with %d bytes of before", cut).isNull();
            torn.copyFrom(before);
            MemorySegment.copy(after, 0, torn, 0, cut);
            assertThat(Slot.read(torn)).as("begins with %d bytes of after", cut).isNull();
        }
    }
}
