// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.FabricException;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Outlet;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;

/** Those who have said hello to a service. Looking one up takes no lock. */
final class Callers {
    private final AtomicReferenceArray<Connection> table;
    /** Of each, what hears when its peer is closed or found dead. */
    private final AtomicReferenceArray<Consumer<FabricException>> ends;
    private final long idle;
    private final Function<Greeting, Outlet> outlets;
    private int count;
    private boolean closed;

    /** Whoever is idle for that long gives up its place when there is no other: it may have died without a goodbye. */
    Callers(int limit, Duration idle, Function<Greeting, Outlet> outlets) {
        this.outlets = outlets;
        this.idle = idle.toNanos();
        this.table = new AtomicReferenceArray<>(limit);
        this.ends = new AtomicReferenceArray<>(limit);
    }

    /** The connection of a request; null if there is none, or it is somebody else's. */
    Connection find(int number, long key) {
        Connection found = number >= 0 && number < table.length() ? table.get(number) : null;
        return found != null && found.key() == key ? found : null;
    }

    /** Whether it has its place. */
    boolean has(Connection connection) {
        return table.get(connection.number()) == connection;
    }

    /**
     * Makes one, or finds that of the same hello, which callers repeat. One from the same place with another key is
     * that of a process that is gone.
     *
     * @return null if there are too many, or it is closed
     */
    synchronized Connection add(Greeting greeting) {
        if (closed) {
            return null;
        }
        int free = -1;
        for (int i = 0; i < table.length(); i++) {
            Connection one = table.get(i);
            if (one != null && one.peer() == greeting.peer() && one.tag() == greeting.tag()) {
                if (one.callerKey() == greeting.key()) {
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
        Connection made = new Connection(free, ThreadLocalRandom.current().nextLong(), greeting,
                outlets.apply(greeting));
        table.set(free, made);
        count++;
        Consumer<FabricException> end = why -> remove(made);
        ends.set(free, end);
        made.peer().onEnd(end);
        return made;
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

    synchronized void remove(Connection connection) {
        if (table.compareAndSet(connection.number(), connection, null)) {
            count--;
            connection.peer().forgetEnd(ends.getAndSet(connection.number(), null));
        }
    }

    /** There are no more of them than now. */
    synchronized void close() {
        closed = true;
    }

    synchronized int count() {
        return count;
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
