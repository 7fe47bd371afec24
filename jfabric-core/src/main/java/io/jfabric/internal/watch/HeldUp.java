// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The threads of engines that do not come back from a callback at the moment, for those who look for reasons. */
public final class HeldUp {
    private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();

    private HeldUp() {
    }

    public static void begin(Thread thread) {
        THREADS.add(thread);
    }

    public static void end(Thread thread) {
        THREADS.remove(thread);
    }

    /** Their names; empty if there are none. */
    public static String names() {
        return THREADS.stream().map(Thread::getName).sorted().collect(Collectors.joining(", "));
    }
}
