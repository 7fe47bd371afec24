// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** Whether the JIT has something to do. */
public final class Compilers {
    /** Nanoseconds. */
    private static final long LOOK = 2_000_000_000L;
    /** Milliseconds between two looks: a method or two. */
    private static final long LITTLE = 40;

    private final CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
    private long looked;
    private long before;
    private boolean busy;

    /** Looks from now on. */
    public Compilers() {
        begin();
    }

    /** What was seen before does not count. */
    public void begin() {
        busy = bean != null;
        looked = System.nanoTime();
        before = bean == null ? 0 : bean.getTotalCompilationTime();
    }

    /** Whether they had much to do between the last two looks; true in the beginning, unless there are none. */
    public boolean areBusy() {
        if (bean != null && System.nanoTime() - looked > LOOK) {
            looked = System.nanoTime();
            long now = bean.getTotalCompilationTime();
            busy = now - before > LITTLE;
            before = now;
        }
        return busy;
    }
}
