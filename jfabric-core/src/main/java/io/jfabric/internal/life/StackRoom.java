// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/**
 * Takes as much stack as what follows needs, and gives it back at once. A thread that is too deep in the program's
 * calls overflows its stack here, where it holds nothing that others wait for. It costs some 10 nanoseconds.
 */
public final class StackRoom {
    /** Each has a frame of some 2 KiB once it is compiled. */
    private static final int ONE = 3;
    /** With what lies between, too. */
    private static final int SEVERAL = 5;
    /** What is never done would not be compiled, and take no room. */
    private static final int SELDOM = 1 << 8;
    /** Until all is compiled, frames are small, and what follows needs more: so many of them, so often. */
    private static final int INTERPRETED = 30;
    private static final int OFTEN = 20_000;
    private static volatile long v = 1;
    private static int times;
    private static int seldom;

    private StackRoom() {
    }

    /**
     * Throws a {@link StackOverflowError} if there is too little for one operation.
     *
     * @param number another one each time
     */
    public static void ensure(int number) {
        ensure(ONE, number);
    }

    /** As above, for what threads seldom do at the same time. */
    public static void ensure() {
        ensure(ONE, seldom++);
    }

    /** As above, for what starts operations while it holds something: that ensures to have room for each again. */
    public static void ensureForSeveral(int number) {
        ensure(SEVERAL, number);
    }

    /** As above, for what threads seldom do at the same time. */
    public static void ensureForSeveral() {
        ensure(SEVERAL, seldom++);
    }

    private static void ensure(int calls, int number) {
        if (times < OFTEN) {
            times++;
            takeInterpreted(calls * INTERPRETED);
        }
        take(calls, number);
    }

    private static int takeInterpreted(int calls) {
        return calls == 0 ? 0 : takeInterpreted(calls - 1) + 1;
    }

    /** Its frame has room for all values that are read before the first sum: that costs nothing while none is. */
    private static void take(int calls, int number) {
        if (number % SELDOM == 0) {
            v = v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (
                    v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (
                    v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (
                    v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (
                    v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (
                    v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (
                    v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (
                    v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (
                    v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (
                    v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (
                    v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (
                    v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (
                    v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v ^ (v + (v))))))))))))))))))))))))))))))))))))))))))
                    ))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
                    ))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
                    ));
        }
        if (calls > 1) {
            take(calls - 1, number);
        }
    }
}
