// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import io.jfabric.internal.clock.Setting;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** {@link Watch#slow}. */
@Name("jfabric.SlowOperation")
@Label("Slow Operation")
@Description("An operation that took long from posting to completion")
@Category("jfabric")
@StackTrace(false)
final class SlowOperationEvent extends Event {
    private static final long SLOW = Setting.number("jfabric.slowMicros", 10_000) * 1000;

    @Label("Endpoint")
    String endpoint;
    @Label("Operation")
    String operation;
    @Label("Took")
    @Timespan
    long took;

    static boolean isWanted() {
        return new SlowOperationEvent().isEnabled();
    }

    static boolean isSlow(long nanos) {
        return nanos >= SLOW;
    }

    static void emit(Object endpoint, String operation, long nanos) {
        SlowOperationEvent event = new SlowOperationEvent();
        if (event.shouldCommit()) {
            event.endpoint = String.valueOf(endpoint);
            event.operation = operation;
            event.took = nanos;
            event.commit();
        }
    }
}
