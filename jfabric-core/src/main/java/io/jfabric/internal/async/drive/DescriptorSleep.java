// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.wait.FdWaiter;
import java.time.Duration;
import java.util.Arrays;

/** The sleep of an engine whose nodes all have descriptors that tell when there is something to do. */
final class DescriptorSleep {
    /** In case a provider does not tell, in nanoseconds. */
    static final long LONGEST = 20_000_000;

    private EngineImpl.Driven[] of;
    private FdWaiter waiter;
    private boolean possible;

    /** Whether there is nothing to do now, and the descriptors tell when there is. */
    boolean canBlock(EngineImpl.Driven[] all) {
        if (of != all) {
            of = all;
            possible = all.length > 0 && Arrays.stream(all).allMatch(driven -> driven.fds().length > 0);
            waiter = possible
                    ? FdWaiter.of(Arrays.stream(all).flatMapToInt(d -> Arrays.stream(d.fds())).toArray()) : null;
        }
        if (!possible) {
            return false;
        }
        for (EngineImpl.Driven driven : all) {
            if (!driven.drive.mayBlock()) {
                return false;
            }
        }
        return true;
    }

    void block(long nanos) {
        waiter.await(Duration.ofNanos(nanos));
    }
}
