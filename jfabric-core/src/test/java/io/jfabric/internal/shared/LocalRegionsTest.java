// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Which of several overlapping registrations covers a buffer. */
class LocalRegionsTest {
    @Test
    void findsDescriptorsByAddress() {
        LocalRegions regions = new LocalRegions(false);
        regions.add(at(1000, 1000), 1, true);
        regions.add(at(1200, 100), 2, true);
        regions.add(at(5000, 10), 3, true);
        regions.add(at(1200, 50), 4, true);
        assertThat(regions.descriptor(1000, 1000, true)).isEqualTo(1);
        assertThat(regions.descriptor(1250, 40, true)).isIn(1L, 2L);
        assertThat(regions.descriptor(1250, 400, true)).isEqualTo(1);
        assertThat(regions.descriptor(5000, 10, true)).isEqualTo(3);
        assertThat(regions.descriptor(5000, 11, true)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(999, 1, true)).isEqualTo(LocalRegions.NONE);
        regions.remove(at(1000, 1000), 1);
        assertThat(regions.descriptor(1250, 400, true)).isEqualTo(LocalRegions.NONE);
        regions.remove(at(1200, 50), 4);
        assertThat(regions.descriptor(1250, 40, true)).isEqualTo(2);
        regions.remove(at(1200, 100), 2);
        regions.remove(at(1200, 100), 2);
        assertThat(regions.descriptor(1250, 4, true)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(5002, 4, true)).isEqualTo(3);
    }

    private static MemorySegment at(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    @Test
    void fillsOnlyWhatADeviceMayWriteTo() {
        LocalRegions regions = new LocalRegions(false);
        regions.add(at(1000, 1000), 1, true);
        regions.add(at(1200, 100), 2, false);
        assertThat(regions.descriptor(1250, 40, false)).isEqualTo(2);
        assertThat(regions.descriptor(1250, 40, true)).isEqualTo(1);
        regions.remove(at(1000, 1000), 1);
        assertThat(regions.descriptor(1250, 40, true)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(1250, 40, false)).isEqualTo(2);
    }

    @Test
    void servesOnlyItsStart() {
        LocalRegions regions = new LocalRegions(true);
        regions.add(at(1000, 1000), 1, true);
        regions.add(at(1200, 100), 2, true);
        regions.add(at(1200, 50), 3, true);
        assertThat(regions.descriptor(1000, 1000, true)).isEqualTo(1);
        assertThat(regions.descriptor(1200, 100, true)).isEqualTo(2);
        assertThat(regions.descriptor(1200, 101, true)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(1201, 1, true)).isEqualTo(LocalRegions.NONE);
    }

    @Test
    void forgetsDescriptorsOfFreedMemory() {
        LocalRegions regions = new LocalRegions(false);
        long address;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100);
            address = memory.address();
            regions.add(memory, 1, true);
            assertThat(regions.descriptor(address, 100, true)).isEqualTo(1);
        }
        assertThat(regions.descriptor(address, 100, true)).isEqualTo(LocalRegions.NONE);
    }
}
