// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import io.jfabric.async.Node;
import io.jfabric.internal.ffi.Log;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A daemon thread for all that happens by the clock; it ends some time after the last of that. */
public final class Ticks {
    private static final Log LOG = Log.of(Node.class);
    private static final int IDLE_SECONDS = 1;
    private static final ScheduledThreadPoolExecutor THREAD = new ScheduledThreadPoolExecutor(1,
            Thread.ofPlatform().daemon().name("jfabric-clock").factory());

    static {
        THREAD.setRemoveOnCancelPolicy(true);
        // a thread that stays would keep jfabric loaded
        THREAD.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        THREAD.allowCoreThreadTimeOut(true);
    }

    private Ticks() {
    }

    /** Runs an action after a while, unless cancelled. */
    public static Future<?> once(long millis, Runnable action) {
        return THREAD.schedule(() -> run(action), millis, TimeUnit.MILLISECONDS);
    }

    /** Runs an action again and again until cancelled. */
    public static Future<?> every(long millis, Runnable action) {
        return THREAD.scheduleWithFixedDelay(() -> run(action), millis, millis, TimeUnit.MILLISECONDS);
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            // also errors: else a repeated action would not be run again
            LOG.warn("what happens by the clock failed", e);
        }
    }
}
