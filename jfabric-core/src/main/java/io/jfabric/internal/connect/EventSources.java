// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.internal.life.FidObject;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What requested events are about. Providers tell only the address of the object, where another one may be open by the
 * time the event is read: so the context that they get is a number of our own.
 */
final class EventSources {
    /** No number that an application would choose for its own contexts, nor that of a join. */
    private static final long FIRST = 0x6A67_0000_0000_0000L;

    /** An object, null for none, and the application's context. */
    record Source(FidObject object, long context) {
    }

    /** Weak, as some events never come: whoever has opened the object keeps it. */
    record Asked(WeakReference<FidObject> object, long context) {
        Source source() {
            FidObject about = object.get();
            return new Source(about != null && about.isOpen() ? about : null, context);
        }
    }

    private final AtomicLong next = new AtomicLong(FIRST);
    final Map<Long, Asked> asked = new ConcurrentHashMap<>();

    /** To be called before the provider is: its event may be read in another thread before the call returns. */
    long begin(FidObject object, long context) {
        long token = next.getAndIncrement();
        asked.put(token, new Asked(new WeakReference<>(object), context));
        return token;
    }

    /** There will be no event. */
    void forget(long token) {
        asked.remove(token);
    }

    /** Null for a context that is not ours. */
    Source find(long token) {
        Asked one = asked.get(token);
        return one == null ? null : one.source();
    }

    /** As {@link #find}, for an event that is the last. */
    Source take(long token) {
        Asked one = asked.remove(token);
        return one == null ? null : one.source();
    }
}
