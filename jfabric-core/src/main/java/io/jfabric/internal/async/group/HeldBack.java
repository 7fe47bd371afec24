// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.group.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** Messages, by key, that are not sent before something is heard. They end at their deadlines. Any thread. */
final class HeldBack {
    /** How often deadlines are checked, in milliseconds. */
    private static final long PERIOD = 50;

    private final Drive drive;
    private final Sweep sweep;
    private final Map<Long, List<TaggedSend>> waiting = new HashMap<>();

    HeldBack(Drive drive, Sweep.Timer timer) {
        this.drive = drive;
        this.sweep = new Sweep(timer, PERIOD, this::endLate);
    }

    /** Adds a message, behind those of the same and of earlier operations. */
    synchronized void add(TaggedSend message, long key) {
        // first, as there may be no memory for it; its look has to wait for this lock
        sweep.begin();
        List<TaggedSend> all = waiting.computeIfAbsent(key, k -> new ArrayList<>(1));
        int place = all.size();
        while (place > 0 && Tags.isLater(all.get(place - 1).tag(), message.tag())) {
            place--;
        }
        all.add(place, message);
    }

    /** The message whose turn it is; null if there is none. */
    synchronized TaggedSend first(long key) {
        List<TaggedSend> all = waiting.get(key);
        return all == null ? null : all.getFirst();
    }

    /** As {@link #first}, and takes it out. */
    synchronized TaggedSend take(long key) {
        TaggedSend first = first(key);
        if (first != null) {
            withdraw(first, key);
        }
        return first;
    }

    /** Withdraws a message; false if it does not wait any more. */
    synchronized boolean withdraw(TaggedSend message, long key) {
        List<TaggedSend> all = waiting.get(key);
        boolean found = all != null && all.remove(message);
        if (found && all.isEmpty()) {
            waiting.remove(key);
        }
        return found;
    }

    /** Sends a message that was withdrawn, or never waited. */
    void start(TaggedSend message) {
        try {
            drive.start(message);
        } catch (RuntimeException | Error refused) {
            message.end(refused);
        }
    }

    void endAll(Throwable why) {
        endEach(message -> true, message -> why);
    }

    /** In the clock's thread. */
    private boolean endLate() {
        boolean late;
        boolean more;
        synchronized (this) {
            late = waiting.values().stream().flatMap(List::stream).anyMatch(HeldBack::isLate);
            more = !waiting.isEmpty();
        }
        if (late) {
            Aside.start(() -> endEach(HeldBack::isLate, Operation::late));
        }
        return more;
    }

    private static boolean isLate(Operation<?> message) {
        return Clock.isPast(message.deadline());
    }

    /** One by one: the end of one lets its group withdraw others, which must still be waiting here then. */
    private void endEach(Predicate<Operation<?>> which, Function<Operation<?>, Throwable> why) {
        Map<TaggedSend, Long> found = new LinkedHashMap<>();
        synchronized (this) {
            waiting.forEach((key, all) -> all.stream().filter(which).forEach(message -> found.put(message, key)));
        }
        List<Runnable> ends = new ArrayList<>();
        found.forEach((message, key) -> ends.add(() -> {
            if (withdraw(message, key)) {
                message.end(why.apply(message));
            }
        }));
        Completing.runAll(ends);
    }
}
