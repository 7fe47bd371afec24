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
        LocalRegions regions = new LocalRegions();
        regions.add(at(1000, 1000), 1);
        regions.add(at(1200, 100), 2);
        regions.add(at(5000, 10), 3);
        regions.add(at(1200, 50), 4);
        assertThat(regions.descriptor(1000, 1000)).isEqualTo(1);
        assertThat(regions.descriptor(1250, 40)).isIn(1L, 2L);
        assertThat(regions.descriptor(1250, 400)).isEqualTo(1);
        assertThat(regions.descriptor(5000, 10)).isEqualTo(3);
        assertThat(regions.descriptor(5000, 11)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(999, 1)).isEqualTo(LocalRegions.NONE);
        regions.remove(at(1000, 1000), 1);
        assertThat(regions.descriptor(1250, 400)).isEqualTo(LocalRegions.NONE);
        regions.remove(at(1200, 50), 4);
        assertThat(regions.descriptor(1250, 40)).isEqualTo(2);
        regions.remove(at(1200, 100), 2);
        regions.remove(at(1200, 100), 2);
        assertThat(regions.descriptor(1250, 4)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(5002, 4)).isEqualTo(3);
    }

    private static MemorySegment at(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    @Test
    void forgetsDescriptorsOfFreedMemory() {
        LocalRegions regions = new LocalRegions();
        long address;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100);
            address = memory.address();
            regions.add(memory, 1);
            assertThat(regions.descriptor(address, 100)).isEqualTo(1);
        }
        assertThat(regions.descriptor(address, 100)).isEqualTo(LocalRegions.NONE);
    }
}
