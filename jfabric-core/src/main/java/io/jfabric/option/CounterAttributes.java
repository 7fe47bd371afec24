// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.Counter;
import java.util.Objects;

/** How a counter is opened ({@code struct fi_cntr_attr}, fi_cntr(3)). Immutable. */
public final class CounterAttributes {
    /** Counts completions; threads may wait by {@link Counter#await}. */
    public static final CounterAttributes DEFAULT = new CounterAttributes(Events.COMPLETIONS, WaitObject.UNSPEC);

    /** What a counter counts ({@code enum fi_cntr_events}). */
    public enum Events {
        /** Operations. */
        COMPLETIONS,
        /** Bytes (libfabric 1.21). Of the providers known so far only {@code cxi} counts them; others are refused. */
        BYTES
    }

    private final Events events;
    private final WaitObject waitObject;

    private CounterAttributes(Events events, WaitObject waitObject) {
        Objects.requireNonNull(events, "events");
        Objects.requireNonNull(waitObject, "waitObject");
        if (waitObject == WaitObject.SET) {
            throw new IllegalArgumentException("waitObject: SET needs a wait set; use UNSPEC, FD or NONE");
        }
        this.events = events;
        this.waitObject = waitObject;
    }

    /**
     * Changes what is counted.
     *
     * @param newEvents operations or bytes
     * @return new attributes
     */
    public CounterAttributes withEvents(Events newEvents) {
        return new CounterAttributes(newEvents, waitObject);
    }

    /**
     * Changes the wait object.
     *
     * @param object how threads may wait
     * @return new attributes
     */
    public CounterAttributes withWaitObject(WaitObject object) {
        return new CounterAttributes(events, object);
    }

    /** {@return what is counted} */
    public Events events() {
        return events;
    }

    /** {@return how threads may wait} */
    public WaitObject waitObject() {
        return waitObject;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterAttributes a && a.events == events && a.waitObject == waitObject;
    }

    @Override
    public int hashCode() {
        return Objects.hash(events, waitObject);
    }

    @Override
    public String toString() {
        return "CounterAttributes[events=" + events + ", waitObject=" + waitObject + "]";
    }
}
