// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.internal.async.future.Completing;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Tells those who count on the keep-alive of a node when it is closed. */
public final class Unwatched {
    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();

    private Unwatched() {
    }

    /** The one of a node. */
    public static Unwatched of(NodeImpl node) {
        return node.attached(Unwatched.class, opened -> new Unwatched());
    }

    /** Adds a listener; returns what removes it. */
    public Runnable add(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** The keep-alive is closed. */
    public void tell() {
        Completing.runAll(List.copyOf(listeners));
    }
}
