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

/** The callers that have said hello to a service. Looking one up takes no lock. */
final class Callers {
    private static final int MOST_GONE = 1024;
    /** Between two looks at all callers, in nanoseconds. */
    private static final long PAUSE = 100_000_000;

    private final AtomicReferenceArray<Connection> table;
    /** For each caller, the callback for when its peer is closed or found dead. */
    private final AtomicReferenceArray<Consumer<FabricException>> ends;
    private final long idle;
    private final int mostCalls;
    private final Supplier<Backlog> backlog;
    private final Function<Greeting, Outlet> outlets;
    private final Consumer<Connection> lost;
    private final Consumer<Connection> over;
    private final AtomicLong looked = new AtomicLong(System.nanoTime());
    /** The keys of those that have said goodbye last: a hello of theirs that is handled later was sent earlier. */
    private final Set<Long> gone = new LinkedHashSet<>();
    private int count;
    /** Runs when there are no callers any more; null while more may come. */
    private Runnable whenEmpty;

    /**
     * A caller that is idle for that long gives up its place if there is no other: it may have died without a goodbye.
     *
     * @param mostCalls how many calls a caller is granted at most
     * @param lost is told of each caller before it loses its place although answers to its calls may be wanted
     * @param over is told of each caller that has lost its place; under the lock
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

    /** The connection of a request; null if there is none, or it belongs to another caller. */
    Connection find(int number, long key) {
        Connection found = number >= 0 && number < table.length() ? table.get(number) : null;
        return found != null && found.key() == key ? found : null;
    }

    /** How many calls the caller may have under way. */
    int granted(Greeting greeting) {
        return Math.min(greeting.window(), mostCalls);
    }

    /** Whether the connection still has its place. */
    boolean has(Connection connection) {
        return table.get(connection.number()) == connection;
    }

    /**
     * Makes a connection, or finds the one of the same hello, which callers repeat. A connection from the same place
     * with another key belongs to a session that is over, of that caller or of a process that is gone; unless the hello
     * itself is old, which {@link #isOld} tells first.
     *
     * @return null if there are too many, or this is closed
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

    /** Whether the caller has said a later hello since, or goodbye: messages may be handled out of order. */
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

    /** The caller with that key has said goodbye, whether or not it has heard that it has a place. */
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

    /** Frees the place of the caller that has been idle longest, if for long enough; else returns -1. */
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

    /** Returns whether it still had its place. */
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

    /** The caller waits for what it will not get. It will say hello again, and hear that this is a new session. */
    void lose(Connection connection) {
        if (connection.hasCalls()) {
            lost.accept(connection);
        }
        leave(connection);
    }

    /** The caller has said goodbye. */
    void leave(Connection connection) {
        if (remove(connection)) {
            connection.outlet().drop();
        }
    }

    /** Whether to look for silent callers that do not read: there may be some, and nobody has looked for a while. */
    boolean takesTurnToLook() {
        long last = looked.get();
        return backlog.get().isScarce() && System.nanoTime() - last > PAUSE
                && looked.compareAndSet(last, System.nanoTime());
    }

    /** No more callers are taken. {@code then} runs when all are gone. */
    synchronized void close(Runnable then) {
        whenEmpty = then;
        if (count == 0) {
            then.run();
        }
    }

    synchronized int count() {
        return count;
    }

    /** Whether one of them has a call here, or an answer that may not have gone yet. */
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
