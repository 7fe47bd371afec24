// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.EventException;
import io.jfabric.bindings.fi_eq_cm_entry;
import io.jfabric.internal.life.FidObject;
import java.lang.foreign.MemorySegment;

/** What was taken from the provider's queue and is yet to be read: an event, or the error in its place. */
record TakenEvent(int type, FidObject found, MemorySegment entry, long length, EventException error) {
    static TakenEvent of(EventException error) {
        return new TakenEvent(0, null, null, 0, error);
    }

    /** The object that it is about; null once that is closed, as another object may have its address. */
    FidObject source() {
        return found == null || !found.isOpen() ? null : found;
    }

    boolean isRequest() {
        return type == EventDecoder.CONNREQ && info() != 0;
    }

    boolean isRequestTo(long listener) {
        return isRequest() && listener() == listener;
    }

    /** The listener that a request was sent to. */
    long listener() {
        return fi_eq_cm_entry.fid(entry).address();
    }

    /** The info of a request. */
    long info() {
        return fi_eq_cm_entry.info(entry).address();
    }
}
