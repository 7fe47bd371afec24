// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which of several overlapping registrations covers a buffer. */
class LocalRegionsTest {
    @Test
    void findsDescriptorsByAddress() {
        LocalRegions regions = new LocalRegions();
        regions.add(1000, 1000, 1);
        regions.add(1200, 100, 2);
        regions.add(5000, 10, 3);
        regions.add(1200, 50, 4);
        assertThat(regions.descriptor(1000, 1000)).isEqualTo(1);
        assertThat(regions.descriptor(1250, 40)).isIn(1L, 2L);
        assertThat(regions.descriptor(1250, 400)).isEqualTo(1);
        assertThat(regions.descriptor(5000, 10)).isEqualTo(3);
        assertThat(regions.descriptor(5000, 11)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(999, 1)).isEqualTo(LocalRegions.NONE);
        regions.remove(1000, 1000, 1);
        assertThat(regions.descriptor(1250, 400)).isEqualTo(LocalRegions.NONE);
        regions.remove(1200, 50, 4);
        assertThat(regions.descriptor(1250, 40)).isEqualTo(2);
        regions.remove(1200, 100, 2);
        regions.remove(1200, 100, 2);
        assertThat(regions.descriptor(1250, 4)).isEqualTo(LocalRegions.NONE);
        assertThat(regions.descriptor(5002, 4)).isEqualTo(3);
    }
}
