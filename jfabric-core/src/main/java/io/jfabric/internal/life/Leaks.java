// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.internal.ffi.Cleaners;
import java.lang.ref.Cleaner;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows all objects that are open and where they were opened, and warns about those that became garbage without having
 * been closed.
 *
 * <p>To remember the place costs microseconds (a stack trace), so it is for what is opened seldom;
 * {@code -Djfabric.leaks=stack} does it for everything, {@code -Djfabric.leaks=nostack} for nothing. Any thread.
 */
public final class Leaks {
    private static final Logger LOG = LoggerFactory.getLogger(Leaks.class);
    private static final Set<Tracker> OPEN = ConcurrentHashMap.newKeySet();
    private static final AtomicLong OPENED = new AtomicLong();
    private static final String STACKS = System.getProperty("jfabric.leaks", "");

    private Leaks() {
    }

    /** How often objects of a kind are opened. */
    public enum Often {
        /** Fabrics, domains, endpoints, queues, vectors: the place of opening is kept. */
        SELDOM,
        /** Memory regions: the place is kept only when asked for. */
        OFTEN
    }

    /**
     * An object that is open.
     *
     * @param what its kind
     * @param openedHere the place, where it was kept
     */
    public record Open(String what, Optional<Throwable> openedHere) {
    }

    /**
     * Notes that an object was opened.
     *
     * @param opened the object; only weakly referred to
     * @param what its kind, for people; must not refer to it
     * @param often whether the place is worth its cost
     */
    public static Tracker track(Object opened, String what, Often often) {
        return track(opened, what, often, true);
    }

    /** As above; false for what is forgotten together with its parent, which is warned about. */
    static Tracker track(Object opened, String what, Often often, boolean warns) {
        boolean stack = STACKS.equals("stack") || often == Often.SELDOM && !STACKS.equals("nostack");
        Tracker tracker = new Tracker(what, stack ? new Throwable("opened here") : null, warns);
        OPEN.add(tracker);
        tracker.cleanable = Cleaners.SHARED.register(opened, tracker);
        return tracker;
    }

    /** Everything that is open, the oldest first. */
    public static List<Open> open() {
        return OPEN.stream().sorted(Comparator.comparingLong(tracker -> tracker.number))
                .map(tracker -> new Open(tracker.what, Optional.ofNullable(tracker.openedHere))).toList();
    }

    /** What is known of one object; it must not refer to it. */
    public static final class Tracker implements Runnable {
        private final long number = OPENED.getAndIncrement();
        private final String what;
        private final Throwable openedHere;
        private final boolean warns;
        private Cleaner.Cleanable cleanable;

        private Tracker(String what, Throwable openedHere, boolean warns) {
            this.what = what;
            this.openedHere = openedHere;
            this.warns = warns;
        }

        /** The object was closed. Again does nothing. */
        public void closed() {
            OPEN.remove(this);
            cleanable.clean();
        }

        /** For the cleaner. */
        @Override
        public void run() {
            if (OPEN.remove(this) && warns) {
                LOG.warn("a {} was never closed; use try-with-resources{}", what, openedHere != null ? "" : ", and "
                        + "-Djfabric.leaks=stack to see where it was opened", openedHere);
            }
        }
    }
}
