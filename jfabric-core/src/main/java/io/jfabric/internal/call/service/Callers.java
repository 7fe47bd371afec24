// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.FabricException;
import io.jfabric.internal.async.operation.Unguessable;
import io.jfabric.internal.call.wire.Backlog;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Outlet;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Those who have said hello to a service. Looking one up takes no lock. */
final class Callers {
    private static final int MOST_GONE = 1024;
    /** Between two looks at all of them, in nanoseconds. */
    private static final long PAUSE = 100_000_000;

    private final AtomicReferenceArray<Connection> table;
    /** Of each, what hears when its peer is closed or found dead. */
    private final AtomicReferenceArray<Consumer<FabricException>> ends;
    private final long idle;
    private final int mostCalls;
    private final Supplier<Backlog> backlog;
    private final Function<Greeting, Outlet> outlets;
    private final Consumer<Connection> lost;
    private final Consumer<Connection> over;
    private final AtomicLong looked = new AtomicLong(System.nanoTime());
    /** The keys of those that have said goodbye last: a hello of theirs that is handled after that is from before. */
    private final Set<Long> gone = new LinkedHashSet<>();
    private int count;
    /** Runs when there is none any more; null while there may be more. */
    private Runnable whenEmpty;

    /**
     * Whoever is idle for that long gives up its place when there is no other: it may have died without a goodbye.
     *
     * @param mostCalls how many calls one is granted at most
     * @param lost hears of each before it loses its place although calls of its may be wanted
     * @param over hears of each that has lost its place; under the lock
     */
    Callers(int limit, int mostCalls, Duration idle, Supplier<Backlog> backlog, Function<Greeting, Outlet> outlets,
            Consumer<Connection> lost, Consumer<Connection> over) {
        this.mostCalls = mostCalls;
        this.backlog = backlog;
        this.outlets = outlets;
        this.lost = lost;
        this.over = over;
        this.idle = idle.toNanos();
        this.table = new AtomicReferenceArray<>(limit);
        this.ends = new AtomicReferenceArray<>(limit);
    }

    /** The connection of a request; null if there is none, or it is somebody else's. */
    Connection find(int number, long key) {
        Connection found = number >= 0 && number < table.length() ? table.get(number) : null;
        return found != null && found.key() == key ? found : null;
    }

    /** How many calls it may have under way. */
    int granted(Greeting greeting) {
        return Math.min(greeting.window(), mostCalls);
    }

    /** Whether it has its place. */
    boolean has(Connection connection) {
        return table.get(connection.number()) == connection;
    }

    /**
     * Makes one, or finds that of the same hello, which callers repeat. One from the same place with another key is
     * that of a session that is over, of it or of a process that is gone; unless the hello itself is an old one, which
     * {@link #isOld} tells before.
     *
     * @return null if there are too many, or it is closed
     */
    synchronized Connection add(Greeting greeting) {
        if (whenEmpty != null || isOld(greeting)) {
            return null;
        }
        int free = -1;
        for (int i = 0; i < table.length(); i++) {
            Connection one = table.get(i);
            if (one != null && one.isOf(greeting)) {
                if (one.callerKey() == greeting.key()) {
                    one.heard(greeting);
                    return one;
                }
                remove(one);
                one = null;
            }
            if (one == null && free < 0) {
                free = i;
            }
        }
        if (free < 0) {
            free = placeOfIdle();
        }
        if (free < 0) {
            return null;
        }
        Connection made = new Connection(free, Unguessable.number(), greeting,
                outlets.apply(greeting), new Unsent(granted(greeting), backlog.get().of(greeting.peer())));
        table.set(free, made);
        count++;
        Consumer<FabricException> end = why -> remove(made);
        ends.set(free, end);
        made.peer().onEnd(end);
        return made;
    }

    /** Whether the caller has said something else since, or goodbye. Messages may be handled in another order. */
    synchronized boolean isOld(Greeting greeting) {
        if (gone.contains(greeting.key())) {
            return true;
        }
        for (int i = 0; i < table.length(); i++) {
            Connection one = table.get(i);
            if (one != null && one.isOf(greeting)) {
                return !one.isNew(greeting);
            }
        }
        return false;
    }

    /** Who said hello with that key has said goodbye: whether it had heard, or will, that it has a place or not. */
    synchronized void goodbye(long tag, long callerKey) {
        if (gone.add(callerKey) && gone.size() > MOST_GONE) {
            gone.remove(gone.iterator().next());
        }
        for (int i = 0; i < table.length(); i++) {
            Connection one = table.get(i);
            if (one != null && one.tag() == tag && one.callerKey() == callerKey) {
                remove(one);
            }
        }
    }

    /** That of the caller that has been idle the longest, if for long enough; else -1. */
    private int placeOfIdle() {
        long now = System.nanoTime();
        Connection longest = null;
        for (int i = 0; i < table.length(); i++) {
            Connection one = table.get(i);
            if (one.idle(now) >= (longest == null ? idle : longest.idle(now))) {
                longest = one;
            }
        }
        if (longest == null) {
            return -1;
        }
        remove(longest);
        return longest.number();
    }

    /** Whether it had its place. */
    synchronized boolean remove(Connection connection) {
        boolean had = table.compareAndSet(connection.number(), connection, null);
        if (had) {
            count--;
            connection.peer().forgetEnd(ends.getAndSet(connection.number(), null));
            if (count == 0 && whenEmpty != null) {
                whenEmpty.run();
            }
            over.accept(connection);
        }
        return had;
    }

    /** It waits for what it will not get. It will say hello again, and hear that this is a new session. */
    void lose(Connection connection) {
        if (connection.hasCalls()) {
            lost.accept(connection);
        }
        leave(connection);
    }

    /** It has said goodbye. */
    void leave(Connection connection) {
        if (remove(connection)) {
            connection.outlet().drop();
        }
    }

    /** Whether there may be some that do not read and are silent, and who asks is to look: nobody has for a while. */
    boolean takesTurnToLook() {
        long last = looked.get();
        return backlog.get().isScarce() && System.nanoTime() - last > PAUSE
                && looked.compareAndSet(last, System.nanoTime());
    }

    /** There are no more of them than now. Something runs when all are gone. */
    synchronized void close(Runnable then) {
        whenEmpty = then;
        if (count == 0) {
            then.run();
        }
    }

    synchronized int count() {
        return count;
    }

    /** Whether one of them has a call here, or an answer that is not known to have gone. */
    boolean haveCalls() {
        for (int i = 0; i < table.length(); i++) {
            Connection one = table.get(i);
            if (one != null && one.hasCalls()) {
                return true;
            }
        }
        return false;
    }

    void each(Consumer<Connection> action) {
        for (int i = 0; i < table.length(); i++) {
            Connection one = table.get(i);
            if (one != null) {
                action.accept(one);
            }
        }
    }
}
