// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

/**
 * Takes as much stack as progress needs, and gives it back at once. A thread that is too deep in the program's calls
 * overflows its stack here, where it holds nothing that others wait for.
 */
final class StackRoom {
    private static final int CALLS = 16;

    private StackRoom() {
    }

    static void ensure() {
        take(CALLS, 0, 0, 0, 0, 0, 0);
    }

    /** The numbers make it about 1 KiB in all once it is compiled: they are kept until the inner call is back. */
    private static long take(int calls, long a, long b, long c, long d, long e, long f) {
        if (calls == 0) {
            return a;
        }
        long inner = take(calls - 1, a + 1, b + 2, c + 3, d + 4, e + 5, f + 6);
        return inner + a + b + c + d + e + f;
    }
}
