// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.internal.life.FidObject;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Which endpoint joins groups by an address set. libfabric's own collectives number joins by set (before 1.18 by
 * address vector), and not for each endpoint: those of a second one get numbers that its peers do not have, and neither
 * endpoint's ever complete.
 */
public final class RootJoins {
    private final Map<FidObject, WeakReference<FidObject>> first = new WeakHashMap<>();

    /** Whether no other open endpoint has joined by the object that keeps the numbers; this one then has it. */
    public synchronized boolean take(FidObject numbers, FidObject endpoint) {
        WeakReference<FidObject> taken = first.get(numbers);
        FidObject other = taken == null ? null : taken.get();
        if (other != null && other != endpoint && other.isOpen()) {
            return false;
        }
        first.put(numbers, new WeakReference<>(endpoint));
        return true;
    }
}
