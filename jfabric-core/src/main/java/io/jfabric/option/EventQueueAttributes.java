// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.EventQueue;
import java.util.Objects;

/** How an event queue is opened ({@code struct fi_eq_attr}, fi_eq(3)). Immutable. */
public final class EventQueueAttributes {
    /** What some providers say for their own sizes: {@code SIZE_MAX}. */
    private static final long NO_LIMIT = -1;

    /** The provider's default size; threads may wait by {@link EventQueue#await}; writable. */
    public static final EventQueueAttributes DEFAULT = new EventQueueAttributes(0, WaitObject.UNSPEC, true);

    private final long size;
    private final WaitObject waitObject;
    private final boolean writable;

    private EventQueueAttributes(long size, WaitObject waitObject, boolean writable) {
        Objects.requireNonNull(waitObject, "waitObject");
        if (size < 0 && size != NO_LIMIT) {
            throw new IllegalArgumentException("size: " + Long.toUnsignedString(size)
                    + " is more than any queue has; 0 is the provider's default");
        }
        if (waitObject == WaitObject.SET) {
            throw new IllegalArgumentException("waitObject: SET needs a wait set; use UNSPEC, FD or NONE");
        }
        this.size = size;
        this.waitObject = waitObject;
        this.writable = writable;
    }

    /**
     * Changes the size.
     *
     * @param newSize events it must hold; 0, or -1 ({@code SIZE_MAX}), for the provider's default
     * @return new attributes
     */
    public EventQueueAttributes withSize(long newSize) {
        return new EventQueueAttributes(newSize, waitObject, writable);
    }

    /**
     * Changes the wait object.
     *
     * @param object how threads may wait
     * @return new attributes
     */
    public EventQueueAttributes withWaitObject(WaitObject object) {
        return new EventQueueAttributes(size, object, writable);
    }

    /**
     * Changes whether the application itself may write events ({@code FI_WRITE}).
     *
     * @param mayWrite false where a provider refuses writable queues
     * @return new attributes
     */
    public EventQueueAttributes withWritable(boolean mayWrite) {
        return new EventQueueAttributes(size, waitObject, mayWrite);
    }

    /** {@return how many events it must hold; 0, or -1 ({@code SIZE_MAX}), for the provider's default} */
    public long size() {
        return size;
    }

    /** {@return how threads may wait} */
    public WaitObject waitObject() {
        return waitObject;
    }

    /** {@return whether the application itself may write events} */
    public boolean writable() {
        return writable;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EventQueueAttributes a && a.size == size && a.waitObject == waitObject
                && a.writable == writable;
    }

    @Override
    public int hashCode() {
        return Objects.hash(size, waitObject, writable);
    }

    @Override
    public String toString() {
        return "EventQueueAttributes[size=" + size + ", waitObject=" + waitObject + ", writable=" + writable + "]";
    }
}
