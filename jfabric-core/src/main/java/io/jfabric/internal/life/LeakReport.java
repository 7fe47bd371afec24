// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.lang.ref.Cleaner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns about objects that became garbage without having been closed, and says where they were opened. */
public final class LeakReport {
    private static final Logger LOG = LoggerFactory.getLogger(LeakReport.class);
    private static final Cleaner CLEANER = Cleaner.create();

    private LeakReport() {
    }

    public static Tracker track(Object opened, String what) {
        Tracker tracker = new Tracker(what);
        tracker.cleanable = CLEANER.register(opened, tracker);
        return tracker;
    }

    /** Must not refer to the object it tracks. */
    public static final class Tracker implements Runnable {
        private final String what;
        private final Throwable openedHere = new Throwable("opened here");
        private volatile boolean closed;
        private Cleaner.Cleanable cleanable;

        private Tracker(String what) {
            this.what = what;
        }

        public void closed() {
            if (!closed) {
                closed = true;
                cleanable.clean();
            }
        }

        @Override
        public void run() {
            if (!closed) {
                LOG.warn("a {} was never closed; use try-with-resources", what, openedHere);
            }
        }
    }
}
