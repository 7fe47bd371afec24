// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class GroupUseTest {
    @Test
    void countsWhatHasNotEnded() {
        GroupUse use = new GroupUse();
        GroupUse.Entry first = use.begin(null, null);
        GroupUse.Entry second = use.begin(null, null);
        assertThat(use.underWay()).isEqualTo(2);
        first.release();
        first.release();
        assertThat(use.underWay()).isOne();
        assertThat(use.begin(null, null)).isSameAs(first);
        second.release();
        assertThat(use.underWay()).isOne();
    }

    /** Operations are of the data path. */
    @Test
    void allocatesNothingOnceItHasEntries() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        GroupUse use = new GroupUse();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(8);
            run(use, segment, 100);
            long before = threads.getCurrentThreadAllocatedBytes();
            run(use, segment, 10_000);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
        }
    }

    private static void run(GroupUse use, MemorySegment segment, int times) {
        for (int i = 0; i < times; i++) {
            use.begin(segment, segment).release();
        }
    }
}
