// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.CntrOps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Triggered and deferred operations of a domain whose counters have not reached their thresholds. Providers follow
 * what such an operation points to when it starts, and do not notice that it was closed meanwhile.
 */
public final class PendingTriggers {
    /** The operation; what it is known by, what it waits for and what must stay open until then. */
    private static final class Pending {
        private final long context;
        private final FidObject counter;
        private final CntrOps ops;
        private final long threshold;
        private final List<FidObject> needed;
        /** Whether it is deferred work; else a triggered operation. */
        private final boolean deferred;
        private final boolean ints;
        /** Whether the provider has it: before, its counter says nothing about it. */
        private boolean queued;

        Pending(long context, FidObject counter, long threshold, List<FidObject> needed, boolean deferred,
                boolean ints) {
            this.context = context;
            this.counter = counter;
            this.ops = new CntrOps(counter.fid());
            this.threshold = threshold;
            this.needed = needed;
            this.deferred = deferred;
            this.ints = ints;
        }

        boolean isOver() {
            long fid = counter.entry().object();
            if (fid == 0) {
                return true;
            }
            if (!queued) {
                return false;
            }
            long value = ops.read(fid);
            if (Long.compareUnsigned(value, threshold) < 0 || ints && (int) value < (int) threshold) {
                return false;
            }
            // the counting thread shows the value first, then starts what waits for it, all under the counter's lock
            ops.add(fid, 0);
            return true;
        }

        /** Endpoints that close later may still count with the counter, but will not get that far. */
        void stop() {
            if (ints && counter.isOpen()) {
                ops.set(counter.fid(), NEVER);
            }
        }
    }

    /** The least value there is to a provider that compares as below. */
    private static final long NEVER = 1L << 31;

    /** Whether the provider compares as in {@code Quirk.COUNTERS_ARE_INTS}. */
    private final boolean ints;
    private final List<Pending> pending = new ArrayList<>();
    private int pruneAt = 64;

    PendingTriggers(boolean ints) {
        this.ints = ints;
    }

    /**
     * Gives a triggered operation to the provider, and adds it if that answers 0. The caller is inside one of the
     * domain's objects, so that all others stay open. In one step: see {@link #set}.
     */
    public synchronized long post(LongSupplier provider, long context, FidObject counter, long threshold,
            List<FidObject> needed) {
        long result = provider.getAsLong();
        if (result == 0) {
            announce(context, counter, threshold, needed, false).queued = true;
        }
        return result;
    }

    /** Adds deferred work before the provider has it; to be followed by {@link #queue} or {@link #remove}. */
    public synchronized void addEarly(long context, FidObject counter, long threshold, List<FidObject> needed) {
        announce(context, counter, threshold, needed, true);
    }

    /**
     * As {@link #addEarly}, for work on a counter, the first of {@code needed}. Throws if it would, directly or
     * through other such work, change the counter it waits for. In one step: other threads queue such work as well.
     */
    public synchronized void addAcyclic(long context, FidObject counter, long threshold, List<FidObject> needed) {
        checkAcyclic(counter, needed.getFirst());
        announce(context, counter, threshold, needed, true);
    }

    private Pending announce(long context, FidObject counter, long threshold, List<FidObject> needed,
            boolean deferred) {
        if (pending.size() >= pruneAt) {
            pending.removeIf(Pending::isOver);
            pruneAt = Math.max(64, 2 * pending.size());
        }
        Pending last = new Pending(context, counter, threshold, needed, deferred, ints);
        pending.add(last);
        return last;
    }

    /** Gives deferred work to the provider, which has it if that does not answer with an error. See {@link #set}. */
    public synchronized int queue(long context, IntSupplier provider) {
        int result = provider.getAsInt();
        if (result >= 0) {
            // it is one of the last
            pending.reversed().stream().filter(p -> p.context == context).findFirst().ifPresent(p -> p.queued = true);
        }
        return result;
    }

    private void checkAcyclic(FidObject trigger, FidObject target) {
        if (changes(target, trigger)) {
            // only now is the provider asked about each piece of work: to ask it for every new one would be quadratic
            pending.removeIf(Pending::isOver);
            if (changes(target, trigger)) {
                throw new IllegalArgumentException("FI_QUEUE_WORK: the work changes the counter that it waits for, "
                        + "itself or through other work; the provider would wait for its own lock");
            }
        }
    }

    /** Whether a change of the first counter would change the other, as far as is known. */
    private boolean changes(FidObject first, FidObject other) {
        Set<FidObject> reached = new HashSet<>(Set.of(first));
        boolean more = true;
        while (more && !reached.contains(other)) {
            more = false;
            for (Pending p : pending) {
                more |= reached.contains(p.counter) && reached.add(p.needed.getFirst());
            }
        }
        return reached.contains(other);
    }

    /**
     * Sets a counter, perhaps back: started operations would look as if they had not started, so they are removed
     * before, and none is posted or queued in between. The caller is inside.
     */
    public synchronized int set(FidObject counter, IntSupplier provider) {
        pending.removeIf(p -> p.counter == counter && p.isOver());
        return provider.getAsInt();
    }

    public synchronized void remove(long context) {
        pending.removeIf(p -> p.context == context);
    }

    /**
     * Has the provider cancel the deferred work that waits for a counter; null for that of all. If it answers 0, that
     * work waits no more. It may have left out work that other threads queue meanwhile: that still waits.
     */
    public int flush(FidObject counter, IntSupplier provider) {
        Set<Pending> flushed;
        synchronized (this) {
            flushed = pending.stream().filter(p -> p.deferred && p.queued && (counter == null || p.counter == counter))
                    .collect(Collectors.toSet());
        }
        int result = provider.getAsInt();
        if (result == 0) {
            synchronized (this) {
                pending.removeAll(flushed);
            }
        }
        return result;
    }

    /** Whether that operation is still to start. */
    public synchronized boolean isWaiting(long context) {
        return pending.stream().anyMatch(p -> p.context == context && !p.isOver());
    }

    /** Throws if an operation that has not started yet needs it, or what was opened from it. */
    public synchronized void checkClosable(FidObject object) {
        for (Pending p : pending) {
            if (p.needed.stream().anyMatch(needed -> needed.isBelow(object)) && !p.isOver()) {
                throw FabricException.of("fi_close(" + object.kind() + ")", Errno.EBUSY, "an operation that starts "
                        + "when a counter reaches " + Long.toUnsignedString(p.threshold) + " still needs it: close "
                        + "that counter or the domain first");
            }
        }
    }

    /** Call before the domain is closed with all there is in it: its counters must start nothing any more. */
    public void abandon() {
        List<Pending> all;
        synchronized (this) {
            all = List.copyOf(pending);
            pending.clear();
        }
        // all of them first: what another counter still starts may change one that is closed
        all.forEach(Pending::stop);
        for (Pending p : all) {
            if (p.counter.isOpen() && !p.counter.isUsed()) {
                closeEarly(p.counter);
            }
        }
    }

    private static void closeEarly(FidObject counter) {
        try {
            counter.close();
        } catch (FabricException stillBusy) {
            // it is closed with the domain, after what the provider thinks uses it
        }
    }
}
