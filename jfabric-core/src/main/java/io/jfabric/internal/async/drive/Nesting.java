// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

/**
 * How deep a thread's waits are nested: each in a callback of something that the wait around it has found. Beyond some
 * depth it does not run callbacks itself: if more and more arrives, only the end of the stack would stop it.
 */
final class Nesting {
    private static final int DEEPEST = 16;
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private Nesting() {
    }

    /** Goes one deeper; returns the depth, for {@link #leave}. */
    static int enter() {
        int depth = DEPTH.get() + 1;
        DEPTH.set(depth);
        return depth;
    }

    static void leave(int depth) {
        DEPTH.set(depth - 1);
    }

    /** Whether another thread must run the callbacks of what is found at this depth. */
    static boolean isTooDeep(int depth) {
        return depth > DEEPEST;
    }
}
