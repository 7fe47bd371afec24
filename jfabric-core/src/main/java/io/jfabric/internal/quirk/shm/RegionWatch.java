// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.ffi.Log;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A daemon thread that looks at shared regions ten times a second, and a hundred times while something there is not as
 * it should be. It ends when there are none.
 */
final class RegionWatch {
    private static final long SELDOM_MILLIS = 100;
    private static final long OFTEN_MILLIS = 10;
    private static final List<Watched> ALL = new CopyOnWriteArrayList<>();
    private static final Log LOG = Log.of(Endpoint.class);
    private static final Seldom FAILURES = new Seldom();
    private static Thread thread;

    /** What is to be looked at in a region. */
    interface Watched {
        /** Whether to look again soon. */
        boolean look();

        /** Whether the region can be looked at: not if it was unmapped meanwhile. */
        boolean isMapped();

        void end();
    }

    private RegionWatch() {
    }

    static void add(Watched watched) {
        synchronized (ALL) {
            ALL.add(watched);
            if (thread == null) {
                thread = Thread.ofPlatform().daemon().name("jfabric-shm-locks").start(RegionWatch::run);
            }
        }
    }

    static void remove(Watched watched) {
        ALL.remove(watched);
    }

    static List<Watched> all() {
        return ALL;
    }

    /** False if nothing is watched any more: the thread ends, and the next to be watched starts another. */
    private static boolean goesOn() {
        synchronized (ALL) {
            if (ALL.isEmpty()) {
                thread = null;
            }
            return thread != null;
        }
    }

    private static void run() {
        try {
            while (goesOn()) {
                boolean soon = false;
                try {
                    soon = lookAtAll();
                } catch (Throwable e) {
                    survive(e);
                }
                pause(soon);
            }
        } finally {
            synchronized (ALL) {
                if (thread == Thread.currentThread()) {
                    thread = null;
                }
            }
        }
    }

    /** Whether one of them is to be looked at again soon. */
    private static boolean lookAtAll() {
        boolean soon = false;
        for (Watched watched : ALL) {
            try {
                soon |= watched.look();
            } catch (RuntimeException | InternalError e) {
                if (!watched.isMapped()) {
                    continue;
                }
                LOG.warn("a shm region cannot be watched any more", e);
                watched.end();
            } catch (Throwable e) {
                // there may be memory for the others
                survive(e);
            }
        }
        return soon;
    }

    /** The regions still need somebody, even if there is no memory now. */
    private static void survive(Throwable failure) {
        try {
            int times = FAILURES.happened();
            if (times > 0) {
                LOG.error("the locks of shm regions could not be looked at; it is tried again{}", Seldom.since(times),
                        failure);
            }
        } catch (Throwable again) {
            // no memory for the log either
        }
    }

    private static void pause(boolean soon) {
        try {
            TimeUnit.MILLISECONDS.sleep(soon ? OFTEN_MILLIS : SELDOM_MILLIS);
        } catch (InterruptedException e) {
            // nobody has a reason to; the regions still need somebody
        }
    }
}
