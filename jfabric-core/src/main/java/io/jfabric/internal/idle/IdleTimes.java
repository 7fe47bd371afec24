// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.idle;

import io.jfabric.async.IdleStrategy;
import io.jfabric.internal.clock.Clock;

/** An {@link IdleStrategy} in nanoseconds. */
public record IdleTimes(long spin, long yield, long shortest, long longest, boolean onDescriptor) {
    public static IdleTimes of(IdleStrategy idle) {
        return new IdleTimes(Clock.nanos(idle.spin()), Clock.nanos(idle.yield()), Clock.nanos(idle.shortestSleep()),
                Clock.nanos(idle.longestSleep()), idle.blocking());
    }
}
