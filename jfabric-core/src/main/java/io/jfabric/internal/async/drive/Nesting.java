// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

/**
 * How many waits a thread is in, each in what followed on something that the wait before it has found. From some depth
 * on it does not run what follows itself: there is no end to that where more and more arrives, but to the stack.
 */
final class Nesting {
    private static final int DEEPEST = 16;
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private Nesting() {
    }

    /** One deeper from now on; returns the depth, to leave by. */
    static int enter() {
        int depth = DEPTH.get() + 1;
        DEPTH.set(depth);
        return depth;
    }

    static void leave(int depth) {
        DEPTH.set(depth - 1);
    }

    /** Whether what follows on what is found there is another thread's to run. */
    static boolean isTooDeep(int depth) {
        return depth > DEEPEST;
    }
}
