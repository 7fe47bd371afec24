// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.Fabric;
import io.jfabric.OpenObject;
import io.jfabric.internal.clock.Setting;
import io.jfabric.internal.ffi.Cleaners;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.watch.Watch;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Knows all objects that are open and where they were opened. Warns about those that became garbage without having
 * been closed, and says when one object has very many children: while it is open they cannot become garbage.
 *
 * <p>To remember the place costs microseconds (a stack trace), so it is for what is opened seldom;
 * {@code -Djfabric.leaks=stack} does it for everything, {@code -Djfabric.leaks=nostack} for nothing. Any thread.
 */
public final class Leaks {
    private static final Log LOG = Log.of(Fabric.class);
    private static final Set<Tracker> OPEN = ConcurrentHashMap.newKeySet();
    /** Those that keep memory which native code may use for good. */
    private static final Set<Tracker> FORGOTTEN = ConcurrentHashMap.newKeySet();
    private static final AtomicLong OPENED = new AtomicLong();
    private static final String STACKS = Setting.word("jfabric.leaks", "stack", "nostack");
    private static final int MANY = 100;

    private Leaks() {
    }

    /** How often objects of a kind are opened. */
    public enum Often {
        /** Fabrics, domains, endpoints, queues, vectors: the place of opening is kept. */
        SELDOM,
        /** Memory regions, arenas, buffers taken from a pool: the place is kept only when asked for. */
        OFTEN;

        public boolean keepsPlaces() {
            return STACKS.equals("stack") || this == SELDOM && !STACKS.equals("nostack");
        }
    }

    /**
     * Notes that an object was opened.
     *
     * @param opened the object; only weakly referred to
     * @param what its kind, for people; must not refer to it
     * @param often whether the place is worth its cost
     */
    public static Tracker track(Object opened, String what, Often often) {
        return track(opened, what, often, null);
    }

    /** As above, listed below what it was opened from, and when forgotten warned about together with that. */
    public static Tracker track(Object opened, String what, Often often, Tracker parent) {
        Tracker tracker = make(opened, what, often, parent);
        tracker.list(opened);
        return tracker;
    }

    /**
     * As above, for an object that opened its parent for itself and is warned about instead. A thread of its own may
     * keep the parent reachable when nobody can close either any more; then it stays listed.
     */
    public static Tracker trackOwner(Object opened, String what, Often often, Tracker parent) {
        Tracker tracker = make(opened, what, often, parent);
        tracker.name = opened.toString();
        parent.isOwned = true;
        tracker.list(opened);
        return tracker;
    }

    /** As above, for an object that is not complete yet, and not open until it is {@link Tracker#list listed}. */
    static Tracker make(Object opened, String what, Often often, Tracker parent) {
        return new Tracker(opened, what, often.keepsPlaces() ? new Throwable("opened here") : null, parent);
    }

    /** Everything that is open, the oldest first. */
    public static List<OpenObject> open() {
        return OPEN.stream().sorted(Comparator.comparingLong(tracker -> tracker.number)).map(Tracker::show).toList();
    }

    /** For each open object of that class. */
    public static <T> void eachOpen(Class<T> type, Consumer<? super T> action) {
        for (Tracker tracker : OPEN) {
            Object it = tracker.object.get();
            if (type.isInstance(it)) {
                action.accept(type.cast(it));
            }
        }
    }

    /** What is known of one object; it must not refer to it. */
    public static final class Tracker implements Runnable {
        private final long number = OPENED.getAndIncrement();
        private final long since = System.nanoTime();
        private final WeakReference<Object> object;
        private final String what;
        private final Throwable openedHere;
        private final Tracker parent;
        private Cleaner.Cleanable cleanable;
        private Object kept;
        private volatile boolean closed;
        /** Null unless it has opened its parent for itself. */
        private String name;
        /** Whether it was opened by a child of its own. */
        private volatile boolean isOwned;
        /** Whether nobody can close it, but it stays listed. For the cleaner only. */
        private boolean isForgotten;
        /** The number of children that was last logged. */
        private volatile int told;

        private Tracker(Object object, String what, Throwable openedHere, Tracker parent) {
            this.object = new WeakReference<>(object);
            this.what = what;
            this.openedHere = openedHere;
            this.parent = parent;
        }

        /**
         * Keeps what native code uses as long as the object is not closed, even if it is forgotten. The memory must not
         * refer to the object. Call before others see the object.
         */
        public void keeps(Object memory) {
            kept = memory;
        }

        /** Whether it was closed, and not forgotten. */
        public boolean isClosed() {
            return closed;
        }

        /** It is open from now on. */
        void list(Object opened) {
            OPEN.add(this);
            cleanable = Cleaners.SHARED.register(opened, this);
            Watch.opened(what, number, parent == null ? -1 : parent.number);
        }

        private OpenObject show() {
            Object it = object.get();
            return new OpenObject(number, parent == null ? OptionalLong.empty() : OptionalLong.of(parent.number), what,
                    it == null ? (name == null ? what : name) + " (garbage)" : it.toString(),
                    Duration.ofNanos(System.nanoTime() - since), Optional.ofNullable(openedHere));
        }

        /** Logs if the parent of this youngest object now has very many open children. */
        void siblings(int count) {
            int mark = MANY;
            while (mark < count) {
                mark *= 10;
            }
            if (mark == count && parent.told < mark) {
                parent.told = mark;
                LOG.info("{} objects of one {} are open (the youngest: {}{}); if that is more than you meant, some are "
                        + "not closed: Fabric.openObjects() lists them{}", count, parent.what, what,
                        show().place().map(place -> ", opened at " + place).orElse(""),
                        openedHere != null ? "" : ", with -Djfabric.leaks=stack also where they were opened");
            }
        }

        /** The object was closed. Again does nothing. */
        public void closed() {
            closed = true;
            if (OPEN.remove(this)) {
                Watch.closed(what, number, since);
            }
            cleanable.clean();
        }

        /** Nobody can close it any more: native code may use what it {@linkplain #keeps keeps} for good. */
        public void lost() {
            if (kept != null) {
                FORGOTTEN.add(this);
            }
        }

        /** For the cleaner. */
        @Override
        public void run() {
            boolean stays = name != null && parent.object.get() != null;
            if (stays ? !OPEN.contains(this) : !OPEN.remove(this)) {
                return;
            }
            isForgotten = stays;
            lost();
            if (isOwned) {
                OPEN.removeIf(owner -> owner.parent == this && owner.isForgotten);
            } else if (parent == null || name != null) {
                LOG.warn("{} was never closed; use try-with-resources{}", name == null ? "a " + what : name,
                        openedHere != null ? "" : ", and -Djfabric.leaks=stack to see where it was opened", openedHere);
            }
        }
    }
}
