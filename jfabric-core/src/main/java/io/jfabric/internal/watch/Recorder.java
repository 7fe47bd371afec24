// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * The Flight Recorder. It sets itself up, in some 40 milliseconds, when the first event class is loaded, whether
 * anybody records or not: so event classes must not be touched before {@link #runs}, and this class is none.
 */
final class Recorder {
    private static int domains;
    /** While there is a domain; else null. */
    private static Counting counting;

    private Recorder() {
    }

    /** Whether a recording was ever started. */
    static boolean runs() {
        return FlightRecorder.isInitialized();
    }

    /** A domain is open: runs the action now and then while somebody records, until {@link #domainClosed}. */
    static synchronized void domainOpened(Runnable emitsAll) {
        if (domains++ == 0) {
            // costs nothing until somebody records; called at once if somebody does
            counting = new Counting(emitsAll);
            FlightRecorder.addListener(counting);
        }
    }

    /** After the last one, nothing here is known to the recorder, which would keep it loaded. */
    static synchronized void domainClosed() {
        if (--domains == 0) {
            FlightRecorder.removeListener(counting);
            if (runs()) {
                FlightRecorder.removePeriodicEvent(counting.emitsAll);
            }
            counting = null;
        }
    }

    /** No record: the methods of one take the JVM some milliseconds when they are first called. */
    private static final class Counting implements FlightRecorderListener {
        private final Runnable emitsAll;

        Counting(Runnable emitsAll) {
            this.emitsAll = emitsAll;
        }

        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            FlightRecorder.addPeriodicEvent(CountsEvent.class, emitsAll);
        }
    }
}
