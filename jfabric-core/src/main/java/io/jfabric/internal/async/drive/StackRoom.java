// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

/**
 * Takes as much stack as progress needs, and gives it back at once. A thread that is too deep in the program's calls
 * overflows its stack here, where it holds nothing that others wait for.
 */
final class StackRoom {
    /** Some 250 bytes each, half of them inlined into the others: about 1 KiB in all once it is compiled. */
    private static final int CALLS = 8;
    /** What is never called would not be compiled. */
    private static final int SELDOM = 1 << 8;

    private StackRoom() {
    }

    /**
     * Throws a {@link StackOverflowError} if there is too little.
     *
     * @param number another one each time
     */
    static void ensure(int number) {
        take(CALLS, number);
    }

    /** Each frame has room for the arguments of a call that is hardly ever made: that costs nothing. */
    private static long take(int calls, long number) {
        if (calls == 0) {
            return number;
        }
        long n = number;
        if (n % SELDOM == 0) {
            n += many(n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
        }
        return take(calls - 1, n) + 1;
    }

    /** Thirty-two, which C2 can compile; it must not be worth inlining. */
    private static long many(
            long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7,
            long b0, long b1, long b2, long b3, long b4, long b5, long b6, long b7,
            long c0, long c1, long c2, long c3, long c4, long c5, long c6, long c7,
            long d0, long d1, long d2, long d3, long d4, long d5, long d6, long d7) {
        return a0 + b1 - c2 + d3 - a4 + b5 - c6 + d7;
    }
}
