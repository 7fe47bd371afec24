// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static java.lang.foreign.MemorySegment.NULL;

/**
 * Links the calls that nearly every program makes, in parallel to the loading of the library, which waits for the disk
 * and the dynamic linker: each signature takes the JVM two to four milliseconds when it is first called, which
 * otherwise the first message would pay for.
 */
public final class LinkAhead {
    private static final int CALLS = 19;

    private LinkAhead() {
    }

    /** Starts, and ends by itself. Nobody has to wait for it: a thread that needs a call first links it itself. */
    public static void start() {
        if (Runtime.getRuntime().availableProcessors() > 1) {
            Thread.ofPlatform().daemon().name("jfabric-link-ahead").start(LinkAhead::linkAll);
        }
    }

    private static void linkAll() {
        for (int i = 0; i < CALLS; i++) {
            try {
                link(i);
            } catch (IllegalArgumentException expected) {
                // what FFM answers to the null address: linked, but not called
                continue;
            }
        }
    }

    /** In the order in which a program comes to them. */
    private static void link(int call) {
        switch (call) {
            case 0 -> CallInt.intVoid(NULL);
            case 1 -> CallVoid.voidL(NULL, 0);
            case 2 -> CallInt.intILLLLL(NULL, 0, 0, 0, 0, 0, 0);
            case 3 -> CallInt.intLLL(NULL, 0, 0, 0);
            case 4 -> CallInt.intLLLL(NULL, 0, 0, 0, 0);
            case 5 -> CallLong.longLLIIIL(NULL, 0, 0, 0, 0, 0, 0);
            case 6 -> CallInt.intLIL(NULL, 0, 0, 0);
            case 7 -> CallInt.intL(NULL, 0);
            case 8 -> CallInt.intLLLLLL(NULL, 0, 0, 0, 0, 0, 0);
            // receives and sends, tagged and not, and fi_cq_read and fi_cq_readfrom
            case 9 -> CallLong.longLLLLLLLL(NULL, 0, 0, 0, 0, 0, 0, 0, 0);
            case 10 -> CallLong.longLLLLLLL(NULL, 0, 0, 0, 0, 0, 0, 0);
            case 11 -> CallLong.longLLLLLL(NULL, 0, 0, 0, 0, 0, 0);
            case 12 -> CallLong.longLLLLL(NULL, 0, 0, 0, 0, 0);
            case 13 -> CallLong.longLLLL(NULL, 0, 0, 0, 0);
            case 14 -> CallLong.longLLL(NULL, 0, 0, 0);
            case 15 -> CallLong.longLLLI(NULL, 0, 0, 0, 0);
            // getsockname, getsockopt and setsockopt, for listeners
            case 16 -> CallInt.intILL(NULL, 0, 0, 0);
            case 17 -> CallInt.intIIILL(NULL, 0, 0, 0, 0, 0);
            default -> CallInt.intIIILI(NULL, 0, 0, 0, 0, 0);
        }
    }
}
