// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.FabricException;
import io.jfabric.internal.call.wire.Greeting;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** Those who have said hello to a service. Looking one up takes no lock. */
final class Callers {
    private final AtomicReferenceArray<Connection> table;
    /** Of each, what hears when its peer is closed or found dead. */
    private final AtomicReferenceArray<Consumer<FabricException>> ends;
    private int count;

    Callers(int limit) {
        this.table = new AtomicReferenceArray<>(limit);
        this.ends = new AtomicReferenceArray<>(limit);
    }

    /** The connection of a request; null if there is none, or it is somebody else's. */
    Connection find(int number, long key) {
        Connection found = number >= 0 && number < table.length() ? table.get(number) : null;
        return found != null && found.key() == key ? found : null;
    }

    /**
     * Makes one, or finds that of the same hello, which callers repeat. One from the same place with another key is
     * that of a process that is gone.
     *
     * @return null if there are too many
     */
    synchronized Connection add(Greeting greeting) {
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
            return null;
        }
        Connection made = new Connection(free, ThreadLocalRandom.current().nextLong(), greeting.key(), greeting.peer(),
                greeting.tag(), greeting.inlineBytes());
        table.set(free, made);
        count++;
        Consumer<FabricException> end = why -> remove(made);
        ends.set(free, end);
        made.peer().onEnd(end);
        return made;
    }

    synchronized void remove(Connection connection) {
        if (table.compareAndSet(connection.number(), connection, null)) {
            count--;
            connection.peer().forgetEnd(ends.getAndSet(connection.number(), null));
        }
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
