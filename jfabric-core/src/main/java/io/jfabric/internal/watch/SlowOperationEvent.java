// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** {@link Watch#ended}. */
@Name("jfabric.SlowOperation")
@Label("Slow Operation")
@Description("An operation that took long from posting to completion")
@Category("jfabric")
@StackTrace(false)
final class SlowOperationEvent extends Event {
    private static final long SLOW = Long.getLong("jfabric.slowMicros", 10_000) * 1000;

    @Label("Endpoint")
    String endpoint;
    @Label("Operation")
    String operation;
    @Label("Took")
    @Timespan
    long took;
    @Label("Size")
    @DataAmount
    long bytes;

    static boolean isWanted() {
        return new SlowOperationEvent().isEnabled();
    }

    static void emit(Object endpoint, String operation, long nanos, long bytes) {
        SlowOperationEvent event = new SlowOperationEvent();
        if (nanos >= SLOW && event.shouldCommit()) {
            event.endpoint = String.valueOf(endpoint);
            event.operation = operation;
            event.took = nanos;
            event.bytes = bytes;
            event.commit();
        }
    }
}
