// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * The Flight Recorder. It sets itself up, in some 40 milliseconds, when the first event class is loaded, whether
 * anybody records or not: so event classes must not be touched before {@link #runs}, and this class is none.
 */
final class Recorder {
    private static final AtomicBoolean COUNTING = new AtomicBoolean();

    private Recorder() {
    }

    /** Whether a recording was ever started. */
    static boolean runs() {
        return FlightRecorder.isInitialized();
    }

    /** Runs the action now and then while somebody records. */
    static void count(Runnable emitsAll) {
        if (!COUNTING.getAndSet(true)) {
            // costs nothing until somebody records; called at once if somebody does
            FlightRecorder.addListener(new FlightRecorderListener() {
                @Override
                public void recorderInitialized(FlightRecorder recorder) {
                    FlightRecorder.addPeriodicEvent(CountsEvent.class, emitsAll);
                }
            });
        }
    }
}
